"""Statistics of random inputs against TypeScript, whose numbers are those of the case file too."""

from __future__ import annotations

import unittest

from random_study import random_study
from shared_cases import check_cases


class RandomStatistics(unittest.TestCase):
    def test_are_those_of_the_shared_studies(self) -> None:
        check_cases(self, "random-statistics.json", {"randomStudy": random_study})


if __name__ == "__main__":
    unittest.main()
