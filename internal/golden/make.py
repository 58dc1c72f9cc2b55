"""Makes the golden numbers in testdata with PyTorch.

On Debian 12: apt-get install python3-torch (1.13.1+dfsg-4), then /usr/bin/python3 make.py in this directory. The tests read only what it writes.
"""

import os
import sys

sys.dont_write_bytecode = True

import torch

torch.set_num_threads(1)
torch.manual_seed(0)

import formula
import models  # noqa: F401, fills training.cases
import ops
import recurrent
import training

here = os.path.dirname(os.path.abspath(__file__))
header = f"by make.py with PyTorch {torch.__version__} in float64"
formula.write(os.path.join(here, "testdata", "ops.json"), header, ops.cases)
formula.write(os.path.join(here, "testdata", "models.json"), header, training.cases)
formula.write(os.path.join(here, "testdata", "recurrent.json"), header, recurrent.cases)
