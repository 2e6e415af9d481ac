"""`python3 -m aiwc.charts`: the command aiwc-charts."""

import sys

from .command import main

sys.exit(main())
