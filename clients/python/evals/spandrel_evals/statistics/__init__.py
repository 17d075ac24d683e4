"""Statistics of judges: agreement with people, corrected rates, comparisons. Intervals are of 95 %.

Random numbers come from a generator of our own, so that the same seed gives the same interval in Python, in TypeScript and on the
server.
"""

from .agreement import (
    Alpha,
    ConfusionMatrix,
    Kappa,
    LabelQuality,
    PeopleAgreement,
    cohen_kappa,
    confusion_matrix,
    krippendorff_alpha,
    label_quality,
    people_agreement,
    weighted_kappa,
)
from .comparison import (
    CorrectedDifference,
    Difference,
    Row,
    SystemComparison,
    compare_systems,
    describe_difference,
    mid_p_sign_test,
    sign_test,
)
from .corrected_rate import Calibration, CorrectedRate, JudgeNearChanceError, corrected_rate
from .intervals import (
    Estimate,
    Interval,
    bootstrap_interval,
    bootstrap_statistic,
    jeffreys_interval,
    paired_share_interval,
    wilson_interval,
)
from .samples import labels_to_halve, split_of

__all__ = [
    "Alpha",
    "Calibration",
    "ConfusionMatrix",
    "CorrectedDifference",
    "CorrectedRate",
    "Difference",
    "Estimate",
    "Interval",
    "JudgeNearChanceError",
    "Kappa",
    "LabelQuality",
    "PeopleAgreement",
    "Row",
    "SystemComparison",
    "bootstrap_interval",
    "bootstrap_statistic",
    "cohen_kappa",
    "compare_systems",
    "confusion_matrix",
    "corrected_rate",
    "describe_difference",
    "jeffreys_interval",
    "krippendorff_alpha",
    "label_quality",
    "labels_to_halve",
    "mid_p_sign_test",
    "paired_share_interval",
    "people_agreement",
    "sign_test",
    "split_of",
    "weighted_kappa",
    "wilson_interval",
]
