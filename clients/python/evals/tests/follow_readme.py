"""Runs every Python block of a README in order, in one module, as a reader would: follow_readme.py README.md"""

import re
import sys
from pathlib import Path

blocks = re.findall(r"^```python\n(.*?)^```", Path(sys.argv[1]).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
assert len(blocks) >= 5, len(blocks)
namespace = {"__name__": "__main__"}
for number, block in enumerate(blocks):
    exec(compile(block, f"block {number}", "exec"), namespace)  # noqa: S102
print(f"followed {len(blocks)} blocks")
