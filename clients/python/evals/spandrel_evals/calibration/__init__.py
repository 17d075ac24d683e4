"""How good a judge is: calibration against labels of people, and drift.

    report = calibrate(CorrectnessEvaluator(llm), "labelled.csv")
    print(report)
    print(report.corrected_rate(positives=640, count=1_000))
"""

from .calibrate import async_calibrate, calibrate
from .drift import Drift, find_drift
from .labels import LabelledRow, Shares, labels_from_server, read_labels
from .report import CalibrationReport, JudgedRow, Measures

__all__ = [
    "CalibrationReport",
    "Drift",
    "JudgedRow",
    "LabelledRow",
    "Measures",
    "Shares",
    "async_calibrate",
    "calibrate",
    "find_drift",
    "labels_from_server",
    "read_labels",
]
