"""The cells of examples/notebook run in their order, as a notebook runs them: the value of a cell's last
expression can be shown. Executed without Jupyter, which is not needed for that."""

import ast
import json
import os
import pathlib
import unittest

import pandas
from support import BIN, WORK, run_of

NOTEBOOK = pathlib.Path(os.environ["AIWC_SOURCES"], "examples/notebook/report.ipynb")


def executed(cells):
    """The value of each cell: that of its last statement if it is an expression."""
    scope = {"__name__": "__main__"}
    for number, source in enumerate(cells):
        tree = ast.parse(source, f"cell {number}")
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"cell {number}", "exec"), scope)
        yield eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), scope) if last else None


class Notebook(unittest.TestCase):
    def setUp(self):
        self.content = json.loads(NOTEBOOK.read_text())
        self.cells = ["".join(cell["source"]) for cell in self.content["cells"] if cell["cell_type"] == "code"]
        self.saved = dict(os.environ), os.getcwd()
        self.addCleanup(self.restore)
        os.environ["PATH"] = f"{BIN}:{os.environ['PATH']}"

    def restore(self):
        os.environ.clear()
        os.environ.update(self.saved[0])
        os.chdir(self.saved[1])

    def check(self, where):
        where.mkdir()
        os.chdir(where)
        frames = [value for value in executed(self.cells) if value is not None]
        for value in frames:
            self.assertIsInstance(value, pandas.DataFrame)
            self.assertGreater(len(value), 0)
            self.assertIn("<table", value._repr_html_())
        self.assertEqual(len(frames), 4)

    def test_it_reads_a_run_that_is_given(self):
        os.environ["AIWC_RUN"] = run_of("lud")
        self.check(WORK / "given")
        self.assertEqual(os.listdir(WORK / "given"), [])

    def test_it_makes_a_run_if_none_is_given(self):
        os.environ.pop("AIWC_RUN", None)
        self.check(WORK / "made")
        self.assertTrue((WORK / "made" / "aiwc-lud" / "run.json").exists())

    def test_it_is_a_notebook_without_outputs(self):
        self.assertEqual((self.content["nbformat"], self.content["nbformat_minor"]), (4, 5))
        self.assertEqual(len({cell["id"] for cell in self.content["cells"]}), len(self.content["cells"]))
        for cell in self.content["cells"]:
            if cell["cell_type"] == "code":
                self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))


if __name__ == "__main__":
    unittest.main()
