"""How much a judge agrees with people, and people with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import sqrt
from typing import Any, Literal, NamedTuple

from .distributions import Z_95
from .intervals import UNKNOWN, Estimate, Interval, bootstrap_statistic, share_of, wilson_interval

# (label of people, label of the judge)
Pair = tuple[str, str]
SEED = "agreement"


class ConfusionMatrix(NamedTuple):
    """Counts by label of people (rows) and label of the judge (columns)."""

    labels: list[str]
    matrix: list[list[int]]
    human_counts: list[int]
    judge_counts: list[int]
    count: int


def confusion_matrix(pairs: Sequence[Pair], labels: Sequence[str] = ()) -> ConfusionMatrix:
    """:param labels: come first, in this order, also those that do not occur"""
    known = list(dict.fromkeys(labels))
    known += sorted({label for pair in pairs for label in pair} - set(known))
    cells = Counter(pairs)
    matrix = [[cells[(human, judge)] for judge in known] for human in known]
    return ConfusionMatrix(
        known, matrix, [sum(row) for row in matrix], [sum(column) for column in zip(*matrix, strict=True)], len(pairs)
    )


class LabelQuality(NamedTuple):
    """Quality of a judge on one label against all others, each with Wilson's interval."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    sensitivity: Estimate
    specificity: Estimate
    precision: Estimate
    recall: Estimate
    accuracy: Estimate
    f1: Estimate


def label_quality(pairs: Sequence[Pair], positive: str) -> LabelQuality:
    tp = sum(human == positive == judge for human, judge in pairs)
    fn = sum(human == positive != judge for human, judge in pairs)
    fp = sum(human != positive == judge for human, judge in pairs)
    tn = len(pairs) - tp - fn - fp
    recall = share_of(tp, tp + fn)
    return LabelQuality(
        *(tp, fp, fn, tn),
        sensitivity=recall,
        specificity=share_of(tn, tn + fp),
        precision=share_of(tp, tp + fp),
        recall=recall,
        accuracy=share_of(tp + tn, len(pairs)),
        f1=_f1(tp, fp + fn),
    )


def _f1(hits: int, errors: int) -> Estimate:
    """Given the rows that either side calls positive, the hits among them are a share, of which F1 is a function."""
    share = share_of(hits, hits + errors)
    if share.value is None or share.low is None or share.high is None:
        return UNKNOWN
    return Estimate(*(2 * each / (1 + each) for each in (share.value, share.low, share.high)))


class Kappa(NamedTuple):
    """Agreement beyond chance, with its 95 % interval. None where both sides give one and the same label to all."""

    kappa: float | None
    low: float | None
    high: float | None
    # Number of equal pairs; None for a weighted kappa.
    agreed: int | None
    count: int


def cohen_kappa(pairs: Sequence[Pair]) -> Kappa:
    """With the interval from the asymptotic variance of Fleiss, Cohen and Everitt (1969). When all pairs agree, or none does,
    that variance is 0 however few there are; then the interval is Wilson's of the share of equal pairs."""
    count = len(pairs)
    rows, columns = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    agreed = sum(a == b for a, b in pairs)
    by_chance_count = sum(number * columns[label] for label, number in rows.items())
    if count == 0 or by_chance_count == count * count:
        return Kappa(None, None, None, agreed, count)
    # Products of whole numbers are exact, so that agreement by chance alone is exactly zero.
    kappa = (agreed * count - by_chance_count) / (count * count - by_chance_count)
    by_chance = by_chance_count / (count * count)
    if agreed in (0, count):
        interval = wilson_interval(agreed, count) or Interval(0, 1)
        low, high = ((share - by_chance) / (1 - by_chance) for share in interval)
    else:
        spread = Z_95 * sqrt(_kappa_variance(Counter(pairs), rows, columns, count, agreed, by_chance))
        low, high = kappa - spread, kappa + spread
    return Kappa(kappa, max(-1.0, low), min(1.0, high), agreed, count)


def _kappa_variance(
    cells: Counter[Pair], rows: Counter[str], columns: Counter[str], count: int, agreed: int, by_chance: float
) -> float:
    observed = agreed / count
    total = 0.0
    for (a, b), number in cells.items():
        share = number / count
        if a == b:
            total += share * (1 - by_chance - (rows[a] + columns[a]) / count * (1 - observed)) ** 2
        else:
            total += share * (1 - observed) ** 2 * ((columns[a] + rows[b]) / count) ** 2
    total -= (observed * by_chance - 2 * by_chance + observed) ** 2
    return max(0.0, total) / count / (1 - by_chance) ** 4


def weighted_kappa(
    pairs: Sequence[Pair],
    order: Sequence[str],
    weights: Literal["linear", "quadratic"] = "linear",
    *,
    seed: str | int = SEED,
    replicates: int = 1_000,
) -> Kappa:
    """Kappa for ordered labels: a pair counts by the distance of its labels in ``order``, or its square. Bootstrap interval.

    :raises ValueError: if a label is not in the order
    """
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"The weights must be linear or quadratic, received {weights!r}")
    places = {label: place for place, label in enumerate(order)}
    unknown = next((label for pair in pairs for label in pair if label not in places), None)
    if unknown is not None:
        raise ValueError(f"The label {unknown!r} is not in the order {', '.join(order)}")
    power = 1 if weights == "linear" else 2
    numbers = [(places[a], places[b]) for a, b in pairs]

    def kappa_of(indices: Sequence[int]) -> float | None:
        count = len(indices)
        rows, columns = Counter(numbers[i][0] for i in indices), Counter(numbers[i][1] for i in indices)
        observed = sum(abs(numbers[i][0] - numbers[i][1]) ** power for i in indices)
        expected = sum(x * y * abs(a - b) ** power for a, x in rows.items() for b, y in columns.items())
        return 1 - observed * count / expected if expected else None

    value = kappa_of(range(len(pairs)))
    interval = None if value is None else bootstrap_statistic(len(pairs), kappa_of, seed, replicates)
    low, high = interval or (None, None)
    return Kappa(value, low, high, None, len(pairs))


class Alpha(NamedTuple):
    alpha: float | None
    low: float | None
    high: float | None
    # Labels on items that at least two people have labelled.
    pairable_count: int


Level = Literal["nominal", "ordinal", "interval", "ratio"]


def krippendorff_alpha(
    units: Sequence[Sequence[Any]],
    level: Level = "nominal",
    order: Sequence[Any] | None = None,
    *,
    seed: str | int = SEED,
    replicates: int = 1_000,
) -> Alpha:
    """Krippendorff's alpha for any number of people, who need not have labelled everything. Bootstrap interval over items.

    :param units: values for each item; None is missing
    :param order: of the values, for ``ordinal``; without it they are numbers
    """
    if level not in ("nominal", "ordinal", "interval", "ratio"):
        raise ValueError(f"The level must be nominal, ordinal, interval or ratio, received {level!r}")
    items = [[value for value in unit if value is not None] for unit in units]
    items = [item for item in items if len(item) > 1]
    if level == "ordinal":
        known = list(order) if order is not None else sorted({value for item in items for value in item})
        places = {value: place for place, value in enumerate(known)}
        unknown = next((value for item in items for value in item if value not in places), None)
        if unknown is not None:
            raise ValueError(f"The value {unknown!r} is not in the order {known}")
        items = [[places[value] for value in item] for item in items]
    counts = [Counter(item) for item in items]

    def alpha_of(indices: Sequence[int]) -> float | None:
        totals: Counter[Any] = Counter()
        for index in indices:
            totals.update(counts[index])
        distance = _distance(level, totals)
        number = sum(totals.values())
        observed = 0.0
        for index in indices:
            item = counts[index]
            if len(item) > 1:
                pairs = _sum_of_pairs(item, distance)
                observed += pairs / (sum(item.values()) - 1)
        expected = _sum_of_pairs(totals, distance)
        return 1 - (number - 1) * observed / expected if expected else None

    value = alpha_of(range(len(items)))
    interval = None if value is None else bootstrap_statistic(len(items), alpha_of, seed, replicates)
    low, high = interval or (None, None)
    return Alpha(value, low, high, sum(map(len, items)))


def _sum_of_pairs(counts: Mapping[Any, int], distance: Callable[[Any, Any], float]) -> float:
    values = list(counts.items())
    total = 0.0
    for place, (a, x) in enumerate(values):
        for b, y in values[:place]:
            total += 2 * x * y * distance(a, b)
    return total


def _distance(level: Level, totals: Mapping[Any, int]) -> Callable[[Any, Any], float]:
    if level == "nominal":
        return lambda a, b: 0.0 if a == b else 1.0
    if level == "interval":
        return lambda a, b: float(a - b) ** 2
    if level == "ratio":
        return lambda a, b: ((a - b) / (a + b)) ** 2 if a + b else 0.0
    below: dict[Any, float] = {}
    total = 0
    for value in sorted(totals):
        # Rank of the middle of this value.
        below[value] = total + totals[value] / 2
        total += totals[value]
    return lambda a, b: (below[a] - below[b]) ** 2


class PersonAgreement(NamedTuple):
    person: str
    count: int
    share: Estimate
    kappa: float | None


class PeopleAgreement(NamedTuple):
    """Agreement of people with each other: a judge cannot be measured to be better than that."""

    item_count: int
    # Mean over items of the share of equal pairs.
    share: Estimate
    alpha: Alpha
    # Each against the majority of the others; items where these are split do not count.
    people: list[PersonAgreement]


def people_agreement(
    units: Sequence[Mapping[str, str]], *, seed: str | int = SEED, replicates: int = 1_000
) -> PeopleAgreement:
    """:param units: labels by person, for each item. Items with one label say nothing."""
    items = [unit for unit in units if len(unit) > 1]
    shares = []
    for unit in items:
        counts = Counter(unit.values())
        number = sum(counts.values())
        shares.append(sum(count * (count - 1) for count in counts.values()) / (number * (number - 1)))

    def mean_of(indices: Sequence[int]) -> float:
        return sum(shares[index] for index in indices) / len(indices)

    interval = bootstrap_statistic(len(items), mean_of, seed, replicates)
    share = Estimate(mean_of(range(len(items))), *interval) if interval else UNKNOWN
    alpha = krippendorff_alpha([list(unit.values()) for unit in items], seed=seed, replicates=replicates)
    people = []
    for person in sorted({name for unit in items for name in unit}):
        pairs = []
        for unit in items:
            others = majority([label for name, label in unit.items() if name != person])
            if person in unit and others is not None:
                pairs.append((others, unit[person]))
        kappa = cohen_kappa(pairs)
        people.append(PersonAgreement(person, len(pairs), share_of(kappa.agreed or 0, len(pairs)), kappa.kappa))
    return PeopleAgreement(len(items), share, alpha, people)


def majority(labels: Sequence[Hashable]) -> Any:
    """The label that more people gave than any other; None if two lead."""
    leading = Counter(labels).most_common(2)
    if not leading or (len(leading) == 2 and leading[0][1] == leading[1][1]):
        return None
    return leading[0][0]
