"""Runs every Python block of a README in order, in one module, as a reader would: follow_readme.py README.md"""

import os
import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
# Ids of spans are unique in a server, and several runs share one.
text = text.replace("b7ad6b7169203331", os.urandom(8).hex())
blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
assert len(blocks) >= 5, len(blocks)
namespace = {"__name__": "__main__"}
for block in blocks:
    exec(compile(block, "README.md", "exec"), namespace)  # noqa: S102
import spandrel_client  # noqa: E402

print(f"followed {len(blocks)} blocks with {spandrel_client.__file__}")
