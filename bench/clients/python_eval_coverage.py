"""Simulated studies of judges: python_eval_coverage.py STUDIES. Prints one line of JSON with three tables.

A study draws labelled rows and rows without labels from one population, lets a judge of known quality label both, and asks the
library for the true rate. The same numbers give the same studies on every machine.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Sequence
from math import exp, lgamma, log, sqrt
from typing import NamedTuple

from spandrel_evals.bias.finding import Finding, correct_findings, difference_finding, paired_finding
from spandrel_evals.bias.stratified import GroupedVerdict, stratified_difference
from spandrel_evals.statistics import (
    Calibration,
    JudgeNearChanceError,
    Row,
    cohen_kappa,
    compare_systems,
    corrected_rate,
    label_quality,
)


class Judge(NamedTuple):
    sensitivity: float
    specificity: float
    # Share of rows that are truly positive.
    prevalence: float
    # Half of the rows are long. For these, the judge says "positive" that much more often, whatever they are.
    length_bias: float
    labelled: int
    unlabelled: int


JUDGES = (
    Judge(0.90, 0.90, 0.50, 0.00, 200, 2_000),
    Judge(0.95, 0.85, 0.70, 0.05, 100, 1_000),
    Judge(0.80, 0.80, 0.30, 0.10, 200, 1_000),
    Judge(0.70, 0.90, 0.50, 0.00, 100, 500),
    Judge(0.85, 0.70, 0.20, 0.10, 150, 1_000),
    Judge(0.97, 0.92, 0.90, 0.02, 200, 2_000),
    Judge(0.85, 0.85, 0.10, 0.10, 200, 5_000),
    Judge(0.75, 0.75, 0.60, 0.15, 300, 1_000),
    Judge(0.95, 0.95, 0.03, 0.00, 300, 3_000),
    Judge(0.90, 0.60, 0.80, 0.05, 100, 400),
    Judge(0.95, 0.90, 0.50, 0.00, 30, 300),
    Judge(0.65, 0.85, 0.40, 0.00, 400, 2_000),
)
# Beyond the claim: so few rows that the judge makes no error in a third of the studies.
FEW = Judge(0.98, 0.98, 0.50, 0.00, 50, 1_000)
BIAS_ROWS = 400
PLANTED = 0.10
CHECKS = ("order", "labels reversed", "formatting", "instructions", "length", "own family")


def binomial(draw: random.Random, count: int, share: float) -> int:
    """A number of successes, by splits at the median of the order statistics (exact, and quick for large counts)."""
    successes = 0
    while count > 16:
        middle = 1 + count // 2
        at = draw.betavariate(middle, count + 1 - middle)
        if at >= share:
            count = middle - 1
            share = min(1.0, share / at)
        else:
            successes += middle
            count -= middle
            share = (share - at) / (1 - at)
    return successes + sum(draw.random() < share for _ in range(count))


def rates(judge: Judge) -> tuple[float, float]:
    """Sensitivity and rate of false positives over short and long rows."""
    long_sensitivity = min(1.0, judge.sensitivity + judge.length_bias)
    false_positives = 1 - judge.specificity
    long_false_positives = min(1.0, false_positives + judge.length_bias)
    return (judge.sensitivity + long_sensitivity) / 2, (false_positives + long_false_positives) / 2


def coverage(judge: Judge, studies: int) -> dict[str, object]:
    sensitivity, false_positives = rates(judge)
    rate = judge.prevalence * sensitivity + (1 - judge.prevalence) * false_positives
    agreement = judge.prevalence * sensitivity + (1 - judge.prevalence) * (1 - false_positives)
    by_chance = judge.prevalence * rate + (1 - judge.prevalence) * (1 - rate)
    kappa = (agreement - by_chance) / (1 - by_chance)
    draw = random.Random(repr(judge))
    held = {"rogan_gladen": 0, "prediction_powered": 0, "naive": 0, "kappa": 0, "f1": 0}
    widths = {"rogan_gladen": 0.0, "prediction_powered": 0.0}
    true_f1 = 2 * judge.prevalence * sensitivity / (judge.prevalence + rate)
    refused = 0
    for _ in range(studies):
        positives = binomial(draw, judge.labelled, judge.prevalence)
        tp = binomial(draw, positives, sensitivity)
        fp = binomial(draw, judge.labelled - positives, false_positives)
        calibration = Calibration(tp, positives - tp, judge.labelled - positives - fp, fp)
        found = binomial(draw, judge.unlabelled, rate)
        pairs = [("y", "y")] * tp + [("y", "n")] * (positives - tp) + [("n", "y")] * fp
        pairs += [("n", "n")] * (judge.labelled - len(pairs))
        agreed = cohen_kappa(pairs)
        held["kappa"] += agreed.low is not None and agreed.low <= kappa <= (agreed.high or 0)
        f1 = label_quality(pairs, "y").f1
        held["f1"] += f1.low is not None and f1.low <= true_f1 <= (f1.high or 0)
        try:
            for method in widths:
                corrected = corrected_rate(found, judge.unlabelled, calibration, method)  # type: ignore[arg-type]
                held[method] += corrected.low <= judge.prevalence <= corrected.high
                widths[method] += corrected.high - corrected.low
            naive = corrected.naive
            held["naive"] += (naive.low or 0) <= judge.prevalence <= (naive.high or 0)
        except JudgeNearChanceError:
            refused += 1
    answered = max(1, studies - refused)
    return {
        **judge._asdict(),
        "naive": held["naive"] / answered,
        **{name: held[name] / answered for name in widths},
        **{f"{name}_width": width / answered for name, width in widths.items()},
        "kappa": held["kappa"] / studies,
        "f1": held["f1"] / studies,
        "refused": refused,
    }


class Systems(NamedTuple):
    sensitivity: float
    specificity: float
    # Rates of truly positive rows of both systems. System b is better on some sessions and worse on others.
    rate_a: float
    rate_b: float
    labelled: int
    sessions: int
    rows_per_session: int


SYSTEMS = (
    Systems(0.90, 0.90, 0.60, 0.70, 200, 200, 1),
    Systems(0.85, 0.80, 0.50, 0.50, 200, 60, 5),
    Systems(0.95, 0.90, 0.80, 0.90, 150, 100, 4),
    Systems(0.75, 0.80, 0.40, 0.60, 300, 80, 10),
)


def comparison(systems: Systems, studies: int) -> dict[str, object]:
    """Coverage of the difference of the true rates: with the judge's errors taken out, of the judge's own difference, and of an
    interval that takes the rows of a session as independent."""
    draw = random.Random(repr(systems))
    truth = systems.rate_b - systems.rate_a
    held = {"corrected": 0, "naive": 0, "without sessions": 0}
    studied = 0
    for _ in range(studies):
        rows = []
        for session in range(systems.sessions):
            shift = draw.choice((-0.25, 0.25)) if systems.rows_per_session > 1 else 0.0
            for _ in range(systems.rows_per_session):
                scores = []
                spread = shift * min(1.0, 4 * min(systems.rate_b, 1 - systems.rate_b))
                for rate in (systems.rate_a, systems.rate_b + spread):
                    is_good = draw.random() < rate
                    says_good = draw.random() < (systems.sensitivity if is_good else 1 - systems.specificity)
                    scores.append(float(says_good))
                rows.append(Row(*scores, session if systems.rows_per_session > 1 else None))
        positives = binomial(draw, systems.labelled, 0.5)
        tp = binomial(draw, positives, systems.sensitivity)
        tn = binomial(draw, systems.labelled - positives, systems.specificity)
        calibration = Calibration(tp, positives - tp, tn, systems.labelled - positives - tn)
        try:
            found = compare_systems(rows, calibration=calibration)
            plain = compare_systems([Row(row.a, row.b) for row in rows], calibration=calibration)
        except JudgeNearChanceError:
            continue
        studied += 1
        for name, low, high in (
            ("corrected", found.corrected.low, found.corrected.high),  # type: ignore[union-attr]
            ("naive", found.difference.low, found.difference.high),
            ("without sessions", plain.corrected.low, plain.corrected.high),  # type: ignore[union-attr]
        ):
            held[name] += low <= truth <= high  # type: ignore[operator]
    return {**systems._asdict(), **{name: count / max(1, studied) for name, count in held.items()}}


class Noise(NamedTuple):
    """How a judge errs without a bias, in shares of verdicts.

    A judge that wavers gives another verdict on this share of the rows when it is asked again, whatever the prompt. One that does not
    gives the same verdict each time: on this share of the rows, another prompt changes it for no reason, and it is wrong about as many.
    """

    share: float
    wavers: bool

    def flips(self) -> float:
        """Probability that one verdict is the other one: two of them differ with probability 2q(1 - q)."""
        return (1 - sqrt(1 - 2 * self.share)) / 2 if self.wavers else self.share


NOISES = tuple(Noise(share, wavers) for wavers in (True, False) for share in (0.02, 0.05, 0.10))


def paired_changes(bias: float, noise: Noise) -> tuple[float, float]:
    """Probabilities that a verdict becomes positive and negative from one variant of a row to the other. Half of the rows are positive; the
    bias turns that share of all rows from negative to positive."""
    flips = noise.flips()
    before = flips if noise.wavers else 0.0
    ups = downs = 0.0
    for share, is_positive, becomes_positive in ((0.5, True, True), (bias, False, True), (0.5 - bias, False, False)):
        first = 1 - before if is_positive else before
        second = 1 - flips if becomes_positive else flips
        ups += share * (1 - first) * second
        downs += share * first * (1 - second)
    return ups, downs


def paired(draw: random.Random, check: str, bias: float, noise: Noise) -> Finding:
    """Verdicts on 400 rows in two variants."""
    up, down = paired_changes(bias, noise)
    changed = binomial(draw, BIAS_ROWS, up + down)
    ups = binomial(draw, changed, up / (up + down))
    return paired_finding(check, ups, changed - ups, BIAS_ROWS, "up", "down", "none")


def stratified_rates(bias: float, noise: Noise) -> dict[tuple[bool, bool], float]:
    """Rate of positive verdicts by whether the row is good and whether it is exposed."""
    flips = noise.flips()
    return {
        (is_good, is_exposed): min(1.0, max(0.0, (1 - flips if is_good else flips) + (bias / 2 if is_exposed else -bias / 2)))
        for is_good in (True, False)
        for is_exposed in (True, False)
    }


def stratified(draw: random.Random, check: str, bias: float, noise: Noise) -> Finding:
    """Verdicts on 400 labelled rows, each asked twice. The judge says "positive" ten points more often to rows of the exposed half; good
    rows are exposed more often, which is no bias."""
    rates_of = stratified_rates(bias, noise)
    verdicts = []
    for _ in range(BIAS_ROWS):
        is_good = draw.random() < 0.5
        is_exposed = draw.random() < (0.6 if is_good else 0.4)
        rate = rates_of[is_good, is_exposed]
        first = draw.random() < rate
        again = draw.random() < rate if noise.wavers else first
        verdicts.append(GroupedVerdict(str(is_good), is_exposed, (first + again) / 2))
    found = stratified_difference(verdicts)
    assert found is not None
    return difference_finding(check, found.effect, found.interval, found.p_value, found.count, "up", "down", "none")


def report(draw: random.Random, biased: str | None, noise: Noise) -> list[Finding]:
    findings = []
    for check in CHECKS:
        bias = PLANTED if check == biased else 0.0
        findings.append((stratified if check in ("length", "own family") else paired)(draw, check, bias, noise))
    return correct_findings(findings)


def power(studies: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for noise in NOISES:
        draw = random.Random(repr(noise))
        alarms = sum(any(each.status == "found" for each in report(draw, None, noise)) for _ in range(10 * studies))
        row: dict[str, object] = {"noise": noise.share, "wavers": noise.wavers, "false alarms": alarms / studies / 10}
        for check in CHECKS:
            found = found_alone = 0
            for _ in range(studies):
                finding = next(each for each in report(draw, check, noise) if each.check == check)
                found += finding.status == "found"
                found_alone += (finding.p_value or 0) < 0.05
            row[check] = found_alone / studies
            row[f"{check}, of six"] = found / studies
        if not noise.wavers:
            row["best paired"] = best_paired(noise)
            if min(stratified_rates(PLANTED, noise).values()) > 0.01:
                row["best stratified"] = best_stratified(draw, noise, max(1, studies // 2))
        rows.append(row)
    return rows


# The uniformly most powerful unbiased tests, which toss a coin at their boundary, for the smallest p-value of six.

LEVEL = 0.05 / len(CHECKS)


def best_paired(noise: Noise) -> float:
    up, down = paired_changes(PLANTED, noise)
    total = 0.0
    for changed, weight in enumerate(distribution(BIAS_ROWS, up + down)):
        if weight > 1e-9:
            total += weight * best_power(distribution(changed, 0.5), distribution(changed, up / (up + down)))
    return total


def best_stratified(draw: random.Random, noise: Noise, studies: int) -> float:
    """Given the totals of each stratum, the number of positive verdicts on exposed rows is the statistic of the best test, because the odds
    ratio is the same for good and bad rows. Mean over simulated totals."""
    rates_of = stratified_rates(PLANTED, noise)
    total = 0.0
    for _ in range(studies):
        null, alternative = [1.0], [1.0]
        good = binomial(draw, BIAS_ROWS, 0.5)
        for is_good, rows in ((True, good), (False, BIAS_ROWS - good)):
            exposed = binomial(draw, rows, 0.6 if is_good else 0.4)
            high, low = rates_of[is_good, True], rates_of[is_good, False]
            positives = binomial(draw, exposed, high) + binomial(draw, rows - exposed, low)
            odds = high * (1 - low) / (low * (1 - high))
            null = convolve(null, hypergeometric(rows, exposed, positives, 1.0))
            alternative = convolve(alternative, hypergeometric(rows, exposed, positives, odds))
        total += best_power(null, alternative)
    return total / studies


def best_power(null: Sequence[float], alternative: Sequence[float]) -> float:
    """Power of the test that rejects the largest and the smallest values with half of the level each."""
    power = 0.0
    for order in (range(len(null)), range(len(null) - 1, -1, -1)):
        left = LEVEL / 2
        for value in order:
            share = min(1.0, left / null[value]) if null[value] > 0 else 1.0
            power += share * alternative[value]
            left -= share * null[value]
            if left <= 0:
                break
    return power


def distribution(count: int, share: float) -> list[float]:
    """Probabilities of 0 to ``count`` successes."""
    return [exp(log_choose(count, k) + k * log(share) + (count - k) * log(1 - share)) for k in range(count + 1)]


def hypergeometric(rows: int, exposed: int, positives: int, odds: float) -> list[float]:
    """Probabilities of the number of positives among the exposed rows, from 0, with this odds ratio (Fisher's distribution)."""
    least, most = max(0, positives - (rows - exposed)), min(exposed, positives)
    logs = [log_choose(exposed, k) + log_choose(rows - exposed, positives - k) + k * log(odds) for k in range(least, most + 1)]
    largest = max(logs)
    weights = [exp(value - largest) for value in logs]
    return [0.0] * least + [weight / sum(weights) for weight in weights]


def log_choose(count: int, k: int) -> float:
    return lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1)


def convolve(a: Sequence[float], b: Sequence[float]) -> list[float]:
    made = [0.0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x > 1e-15:
            for j, y in enumerate(b):
                made[i + j] += x * y
    return made


if __name__ == "__main__":
    STUDIES = int(sys.argv[1])
    START = time.perf_counter()
    tables = {
        "coverage": [coverage(judge, STUDIES) for judge in (*JUDGES, FEW)],
        "comparison": [comparison(systems, STUDIES) for systems in SYSTEMS],
        "power": power(max(1, STUDIES // 2)),
    }
    print(json.dumps({**tables, "seconds": time.perf_counter() - START}))
