"""The data frames of the package are what the command aiwc prints, number for number."""

import csv
import io
import json
import os
import pathlib
import shutil
import unittest
import warnings

import pandas
from support import DEVICES, WORK, aiwc, aiwc_json, close, hostile, run_of

import aiwc as package


def of_one_launch(folder):
    """The name of a profile that launches do not share, and the place of its launch."""
    names = [launch["profile"] for launch in json.loads(pathlib.Path(folder, "run.json").read_text())["launches"]]
    return next((name, place) for place, name in enumerate(names) if names.count(name) == 1)


class Metrics(unittest.TestCase):
    def compare(self, folder, frame):
        rows = list(csv.DictReader(io.StringIO(aiwc("show", "--csv", "--wide", folder))))
        self.assertEqual(list(frame.columns), list(rows[0]))
        self.assertEqual(len(frame), len(rows))
        for (_, shown), row in zip(frame.iterrows(), rows, strict=True):
            for column, text in row.items():
                value = shown[column]
                with self.subTest(file=row["file"], column=column):
                    if isinstance(value, str):
                        self.assertEqual(value, text)
                    elif text in ("true", "false"):
                        self.assertEqual(bool(value), text == "true")
                    else:
                        self.assertTrue(close(float(value), float(text)), f"{value}, expected {text}")

    def test_a_row_per_profile_equals_the_wide_csv(self):
        for application in ("lud", "csr"):
            folder = run_of(application)
            self.compare(folder, package.read_run(folder).metrics())

    def test_pandas_reads_the_csv_as_the_same_frame(self):
        folder = run_of("lud")
        read = pandas.read_csv(io.StringIO(aiwc("show", "--csv", "--wide", folder)), keep_default_na=False,
                               na_values=["NaN"])
        pandas.testing.assert_frame_equal(read, package.read_run(folder).metrics(), check_dtype=False, rtol=1e-12)

    def test_counts_are_exact(self):
        run = package.read_run(run_of("lud"))
        for profile in {profile.file: profile for profile in reversed(run.profiles)}.values():  # the first of each
            for metric in package.catalogue():
                expected = profile.json["metrics"].get(metric.key)
                self.assertEqual(profile[metric.key], expected)
                self.assertIsInstance(profile[metric.key], (int if metric.integer else float, type(None)))

    def test_sampled_profiles_have_standard_errors(self):
        run = package.read_run(run_of("kmeans", "tiny", "--aiwc-sample-groups=2"))
        plain, frame = run.metrics(), run.metrics(errors=True)
        found = 0
        for profile, (_, row) in zip(run.profiles, frame.iterrows(), strict=True):
            self.assertGreater(profile.total_groups, 0)
            errors = profile.json["errors"]
            for metric in package.catalogue():
                expected = errors.get(metric.key)
                expected = None if isinstance(expected, str) else expected
                self.assertEqual(profile.error(metric.key), expected)
                if f"{metric.key}_error" in frame:
                    self.assertTrue(close(row[f"{metric.key}_error"], expected))
                    found += expected is not None
        self.assertGreater(found, 10)
        self.assertEqual([column for column in frame if not column.endswith("_error")], list(plain))

    def test_a_metric_that_is_none_is_not_found(self):
        profile = package.read_run(run_of("csr")).profiles[0]
        with self.assertRaisesRegex(package.NotFound, "'nonsense': is not a metric"):
            profile["nonsense"]
        with self.assertRaisesRegex(package.NotFound, "has no histogram 'loops'"):
            profile.histogram("loops")

    def test_the_catalogue_is_that_of_aiwc_metrics(self):
        self.assertEqual([metric.key for metric in package.catalogue()],
                         [row["key"] for row in aiwc_json("show", "--metrics", "--json")])
        for metric, row in zip(package.catalogue(), aiwc_json("show", "--metrics", "--json"), strict=True):
            for key in ("name", "unit", "category", "definition"):
                self.assertEqual(getattr(metric, key), row[key])


class Lines(unittest.TestCase):
    def test_rows_equal_show_lines(self):
        folder = run_of("lud")
        run = package.read_run(folder)
        for options, arguments in (((), {}), (("--cache-size", "1KiB", "--lanes", "8"), {"cache_bytes": 1024, "lanes": 8}),
                                   ((), {"per_launch": True})):
            frame = run.lines(**arguments)
            # The lines of a launch are those of its profile alone.
            shown = [profile.file for profile in run.profiles] if "per_launch" in arguments else [folder]
            rows = [row for one in shown for row in csv.DictReader(io.StringIO(
                aiwc("show", "--lines", "--csv", "--sort", "line", *options, one)))]
            self.assertEqual(list(frame.columns), list(rows[0]))
            self.assertEqual([{key: str(value) for key, value in row.items()} for row in frame.to_dict("records")], rows)

    def test_what_is_out_of_range_is_refused(self):
        run = package.read_run(run_of("csr"))
        for arguments in ({"lanes": 12}, {"cache_bytes": 0}, {"cache_bytes": 2**64}, {"cache_bytes": -1}):
            with self.assertRaises(package.BadArgument):
                run.lines(**arguments)

    def test_misses_over_lines_add_up_to_those_of_the_profile(self):
        for profile in package.read_run(run_of("csr")).profiles:
            sizes = [2**k for k in range(6, 24)]
            misses, accesses = profile.misses(sizes)
            self.assertEqual(misses, sorted(misses, reverse=True))
            for size, missed in zip(sizes, misses, strict=True):
                rows = package.profiles.lines([profile], cache_bytes=size)
                self.assertEqual(sum(row["cache_misses"] for row in rows), missed)
                self.assertEqual(sum(row["cache_accesses"] for row in rows), accesses)


class Runs(unittest.TestCase):
    def test_launches_are_those_of_run_json(self):
        folder = run_of("lud")
        run = package.read_run(folder)
        content = json.loads(pathlib.Path(folder, "run.json").read_text())
        self.assertEqual(run.command, content["command"])
        self.assertEqual(run.seconds, content["seconds"])
        self.assertEqual(len(run.launches), len(content["launches"]))
        for launch, facts in zip(run.launches, content["launches"], strict=True):
            self.assertEqual((launch.kernel, launch.number, list(launch.global_size)),
                             (facts["kernel"], facts["number"], facts["global_size"][:facts["work_dim"]]))
            self.assertEqual(launch.profile, os.path.join(folder, facts["profile"]))
            self.assertIn("kernel", pathlib.Path(launch.source).read_text())
        self.assertEqual([profile.file for profile in run.profiles], [launch.profile for launch in run.launches])
        self.assertEqual([kernel.name for kernel in run.kernels], ["lud_diagonal", "lud_perimeter", "lud_internal"])
        self.assertIn("lud_diagonal", run.kernels[0].source)

    def test_folders_without_a_run_are_in_natural_order_and_folders_in_them_are_read(self):
        folder = WORK / "loose"
        (folder / "b" / "inner").mkdir(parents=True)
        one = package.read_run(run_of("csr")).profiles[0].file
        for name in ("aiwc_k_10.json", "aiwc_k_9.json", "aiwc_k_009.json", "aiwc_k1_0.json", "aiwc_k-x_0.json",
                     "aiwc_a_0.json", ".aiwc_1_2.json", "x.json", "aiwc_s.aiwc.json", "inner/aiwc_b_0.json"):
            shutil.copy(one, folder / "b" / name)
        shutil.copytree(run_of("csr"), folder / "c")
        for where, number in ((folder, 7), (folder / "b", 6)):  # no folders in one that has profiles
            shown = [row["file"] for row in csv.DictReader(io.StringIO(aiwc("show", "--csv", "--wide", str(where))))]
            self.assertEqual([profile.file for profile in package.read_run(where).profiles], shown)
            self.assertEqual(len(shown), number)
        self.assertEqual(len(package.read_run(one).profiles), 1)

    def test_a_profile_represents_launches_of_its_kind_with_their_own_transfers(self):
        folder = run_of("kmeans", "tiny")
        run = package.read_run(folder)
        self.assertLess(len(run.profiles), len(run.launched))
        self.assertEqual(len(run.launched), len(run.launches))
        shown = [row["file"] for row in csv.DictReader(io.StringIO(aiwc("show", "--csv", "--wide", folder)))]
        self.assertEqual([profile.file for profile in run.profiles], shown)
        for launch, profile in zip(run.launches, run.launched, strict=True):
            self.assertEqual(profile.file, launch.profile)
            for way in ("host_to_device", "device_to_host"):
                for what in ("bytes", "transfers"):
                    self.assertEqual(profile[f"{way}_{what}"], launch.facts[way][what])
        rows = list(csv.DictReader(io.StringIO(aiwc("show", "--lines", "--csv", "--sort", "line", folder))))
        self.assertEqual([{key: str(value) for key, value in row.items()} for row in run.lines().to_dict("records")],
                         rows)
        expected = aiwc_json("predict", "--json", "--devices", "gtx1080", "--transfers", "1", folder)
        found = package.rank(run, "gtx1080", transfers=1)
        self.assertEqual(found["launches"][0], len(run.launches))
        self.assertTrue(close(found["seconds"][0], expected["application"]["devices"][0]["time_us"] * 1e-6))
        each = package.predict(run, "gtx1080", transfers=1, by="launch")
        self.assertEqual(len(each), len(run.launches))
        self.assertTrue(close(each["seconds"].sum(), found["seconds"][0]))

    def test_launches_that_share_a_file_have_their_own_numbers_and_transfers(self):
        folder = run_of("kmeans", "tiny", "--aiwc-invocations=0-")
        run = package.read_run(folder)
        files = {launch.profile for launch in run.launches}
        self.assertLess(len(files), len(run.launches))
        self.assertEqual(len(run.profiles), len(run.launches))
        for launch, profile in zip(run.launches, run.profiles, strict=True):
            self.assertEqual((profile.file, profile.invocation), (launch.profile, launch.invocation))
            for way in ("host_to_device", "device_to_host"):
                for what in ("bytes", "transfers"):
                    self.assertEqual(profile[f"{way}_{what}"], launch.facts[way][what])
        rows = list(csv.DictReader(io.StringIO(aiwc("show", "--csv", "--wide", folder))))
        self.assertEqual([row["invocation"] for row in rows], [str(launch.invocation) for launch in run.launches])
        Metrics.compare(self, folder, run.metrics())

    def test_a_launch_that_tells_in_what_it_differs_from_one_like_it(self):
        folder = WORK / "shorter"
        shutil.copytree(run_of("kmeans", "tiny", "--aiwc-invocations=0-"), folder)
        in_full = package.read_run(folder).launches
        content = json.loads((folder / "run.json").read_text())
        place = len(content["launches"]) - 1
        launch = content["launches"][place]
        like = next(one for one in content["launches"] if one["kernel"] == launch["kernel"])
        content["launches"][place] = {key: launch[key] for key in launch if launch[key] != like.get(key)} | {
            "process": launch["process"], "as": like["number"]}
        (folder / "run.json").write_text(json.dumps(content))
        self.assertEqual([one.facts for one in package.read_run(folder).launches], [one.facts for one in in_full])
        content["launches"][place]["as"] = launch["number"]
        (folder / "run.json").write_text(json.dumps(content))
        with self.assertRaisesRegex(package.BadFile, "run.json: lacks what describes a run"):
            package.read_run(folder)

    def test_a_launch_with_the_profile_of_one_that_is_not_of_its_kind_was_not_characterised(self):
        folder = WORK / "nearest"
        shutil.copytree(run_of("kmeans", "tiny", "--aiwc-invocations=0-"), folder)
        content = json.loads((folder / "run.json").read_text())
        names = [launch["profile"] for launch in content["launches"]]
        place = next(place for place, name in enumerate(names) if name in names[:place])
        content["launches"][place].update(nearest_to=names.index(names[place]), differs_in=[0])
        (folder / "run.json").write_text(json.dumps(content))
        run = package.read_run(folder)
        self.assertEqual(len(run.launched), len(names))
        self.assertEqual(len(run.profiles), len(names) - 1)
        Metrics.compare(self, folder, run.metrics())
        expected = aiwc_json("predict", "--json", "--devices", "gtx1080", folder)
        self.assertTrue(close(package.rank(run, "gtx1080")["seconds"][0],
                              expected["application"]["devices"][0]["time_us"] * 1e-6))

    def test_what_is_missing_of_a_run_is_a_warning(self):
        folder = WORK / "missing"
        shutil.copytree(run_of("lud"), folder)
        name, place = of_one_launch(folder)
        (folder / name).unlink()
        content = json.loads((folder / "run.json").read_text())
        content["seconds"] = None
        content["errors"] = ["disk full", "another"]
        (folder / "run.json").write_text(json.dumps(content))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run = package.read_run(folder)
        self.assertEqual([str(one.message).split(": ", 1)[1] for one in caught],
                         ["1 of its profiles is not in the folder", "the run has not ended, or was killed",
                          "not all of the run is there: disk full"])
        self.assertTrue(all(one.category is package.RunWarning for one in caught))
        self.assertEqual(len(run.profiles), 12)
        self.assertIsNone(run.launches[place].profile)


class Predictions(unittest.TestCase):
    def compare(self, frame, entries, where):
        self.assertEqual(list(frame["device"]), [entry["device"] for entry in entries], where)
        for (_, row), entry in zip(frame.iterrows(), entries, strict=True):
            for key in ("known_device", "rank", "tie", "bound_by"):
                self.assertEqual(row[key], entry[key], f"{where}, {entry['device']}, {key}")
            expected = {"seconds": entry["time_us"], "low": entry["low_us"], "high": entry["high_us"],
                        **{key.replace("_us", "_s"): value for key, value in entry["terms"].items()}}
            for key, micros in expected.items():
                self.assertTrue(close(row[key], None if micros is None else micros * 1e-6), f"{where}, {key}")
            self.assertTrue(close(row["energy_joules"], entry["energy_j"]), where)
            self.assertTrue(close(row["relative"], entry["relative_time"]), where)
            self.assertTrue(close(row["seconds"], sum(row[key] for key in row.index if key.endswith("_s")), 1e-12))

    def test_times_equal_predict_json(self):
        folder = run_of("lud")
        for options, arguments in (((), {}), (("--transfers", "0.5"), {"transfers": 0.5}),
                                   (("--model", "automatch"), {"model": "automatch"})):
            expected = aiwc_json("predict", "--json", "--devices", DEVICES, *options, folder)
            run = package.read_run(folder)
            frame = package.predict(run, DEVICES, **arguments)
            self.assertEqual(list(dict.fromkeys(frame["kernel"])), [one["kernel"] for one in expected["kernels"]])
            for kernel in expected["kernels"]:
                rows = frame[frame["kernel"] == kernel["kernel"]]
                self.assertEqual(set(rows["launches"]), {kernel["invocations"]})
                self.compare(rows, kernel["devices"], f"{options}, {kernel['kernel']}")
            self.compare(package.rank(run, DEVICES, **arguments), expected["application"]["devices"], f"{options}, all")

    def test_four_usual_devices_are_the_default(self):
        folder = run_of("csr")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            frame = package.rank(package.read_run(folder))
        expected = aiwc_json("predict", "--json", "--devices", package.predictions.USUAL_DEVICES, folder)
        self.compare(frame, expected["application"]["devices"], "usual devices")
        self.assertEqual(len(caught), len(expected["ruled_out"]))

    def test_launches_by_themselves_add_up(self):
        run = package.read_run(run_of("lud"))
        each = package.predict(run, "gtx1080", by="launch")
        self.assertEqual(list(each["file"]), [profile.file for profile in run.profiles])
        self.assertTrue(close(each["seconds"].sum(), package.rank(run, "gtx1080")["seconds"][0]))
        one = package.predict(run.profiles[0], ["gtx1080"])
        self.assertEqual(one["seconds"][0], each["seconds"][0])
        again = package.predict([run.profiles[0]], package.devices("gtx1080"))
        self.assertEqual(again["seconds"][0], each["seconds"][0])

    def test_devices_are_those_of_the_library(self):
        expected = {row["id"]: row for row in aiwc_json("devices", "list", "--json")}
        found = package.devices("all")
        self.assertEqual([device.id for device in found], sorted(expected))
        symbols = [parameter.name for parameter in package.parameters()]
        for device in found:
            self.assertEqual(list(device.parameters), symbols)
            self.assertEqual(device.name, expected[device.id]["name"])
        self.assertEqual([device.id for device in package.devices(["k40m", "gtx1080"])], ["k40m", "gtx1080"])
        self.assertEqual(package.devices("gtx1080")[0].type, "gpu")
        self.assertTrue(all(device.opencl for device in package.devices()))


class Errors(unittest.TestCase):
    """Each is an exception with one line that says what is wrong and what was expected."""

    def refused(self, kind, text, call, *arguments, **options):
        with self.assertRaises(kind) as caught:
            call(*arguments, **options)
        self.assertIsInstance(caught.exception, package.Error)
        self.assertIn(text, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_files(self):
        folder = WORK / "bad"
        folder.mkdir()
        self.refused(package.BadFile, "has no profiles: expected the folder of a run", package.read_run, folder)
        self.refused(package.BadFile, "none.json: cannot be read", package.read_run, folder / "none.json")
        (folder / "empty.json").write_text("{}")
        self.refused(package.BadFile, "empty.json:1:1", package.read_run, folder / "empty.json")
        self.refused(package.BadArgument, "has a NUL", package.read_run, "a\0b")
        for number, text in enumerate(("[", "[]", "{}", '{"schema_version": 1, "command": [], "launches": [1]}',
                                       "[" * 100000, '{"schema_version": 1, "command": [], "launches": [{"profile": 3}]}')):
            (folder / "run.json").write_text(text)
            with self.subTest(number):
                self.refused(package.BadFile, "run.json", package.read_run, folder)
        (folder / "run.json").write_text('{"schema_version": 3}')
        self.refused(package.BadFile, "schema_version 3 is newer than 2", package.read_run, folder)
        damaged = WORK / "damaged"
        shutil.copytree(run_of("csr"), damaged)
        (damaged / "aiwc_csr_0.json").write_text("{")
        self.refused(package.BadFile, "aiwc_csr_0.json:1:", lambda: package.read_run(damaged).profiles)

    def test_a_run_names_no_file_outside_of_its_folder(self):
        folder = WORK / "outside"
        shutil.copytree(run_of("csr"), folder)
        content = json.loads((folder / "run.json").read_text())
        secret = WORK / "secret.cl"
        secret.write_text("secret")
        for name in ("../secret.cl", str(secret), "..", ""):
            content["launches"][0]["source"] = name
            (folder / "run.json").write_text(json.dumps(content))
            self.assertIsNone(package.read_run(folder).kernels[0].source)

    def test_arguments(self):
        run = package.read_run(run_of("csr"))
        self.refused(package.NotFound, "gtx1080ti", package.devices, "gtx1080t")
        self.refused(package.BadArgument, "'k40m' is given twice", package.devices, "k40m,k40m")
        self.refused(package.BadFile, "/nonexistent", package.devices, None, "/nonexistent")
        self.refused(package.BadArgument, "expected 0 (hidden) to 1", package.predict, run, DEVICES, transfers=2)
        self.refused(package.BadArgument, "expected kernel, launch or run", package.predict, run, DEVICES, by="day")
        self.refused(package.BadArgument, "no devices", package.predict, run, [])
        self.refused(package.BadArgument, "no profiles", package.predict, [], DEVICES)
        self.refused(package.BadFile, "none.json", package.predict, run, DEVICES, model="none.json")

    def test_numbers_out_of_range_and_wrong_types_name_their_parameter(self):
        run = package.read_run(run_of("csr"))
        profile = run.profiles[0]
        for sizes, text in (([-1], "cache_bytes[0] is -1: expected an integer from 0 to 2^64 - 1"),
                            ([64, 2**64], "cache_bytes[1] is 18446744073709551616: expected an integer"),
                            ([1.5], "cache_bytes[0] is 1.5"), (["64"], "cache_bytes[0] is '64'"),
                            (64, "cache_bytes is 64: expected a list of integers"), ("64", "cache_bytes is '64'")):
            self.refused(package.BadArgument, text, profile.misses, sizes)
        largest, accesses = profile.misses([2**64 - 1])
        self.assertLessEqual(largest[0], accesses)
        for call, text in ((lambda: profile[3], "key is 3"), (lambda: profile.error(None), "key is None"),
                           (lambda: profile.histogram(3), "name is 3"),
                           (lambda: profile.with_transfers([1, 2, 3]), "transfers is [1, 2, 3]: expected 4 integers"),
                           (lambda: profile.with_transfers([1, 2, 3, -4]), "transfers[3] is -4"),
                           (lambda: run.lines(cache_bytes=-1), "cache_bytes is -1"),
                           (lambda: run.lines(cache_bytes="1"), "cache_bytes is '1'"),
                           (lambda: run.lines(lanes=None), "lanes is None: expected 8, 16, 32 or 64"),
                           (lambda: run.lines(lanes=9), "9"),
                           (lambda: package.read_run(3), "path is 3"), (lambda: package.Profile(None), "path is None"),
                           (lambda: package.devices(3), "ids is 3"), (lambda: package.devices([3]), "ids[0] is 3"),
                           (lambda: package.devices(folder=3), "path is 3"),
                           (lambda: package.predict("run", DEVICES), "what is 'run': expected a run, a profile"),
                           (lambda: package.predict([run], DEVICES), "what[0] is"),
                           (lambda: package.predict(run, 3), "devices is 3"),
                           (lambda: package.predict(run, [None]), "devices[0] is None"),
                           (lambda: package.predict(run, DEVICES, transfers="1"), "transfers is '1'"),
                           (lambda: package.predict(run, DEVICES, transfers=None), "transfers is None"),
                           (lambda: package.predict(run, DEVICES, model=3), "path is 3"),
                           (lambda: package.predict(run, DEVICES, by=[]), "by is []")):
            with self.subTest(text):
                self.refused(package.BadArgument, text, call)

    def test_a_device_twice_is_two_cards_in_a_ranking_and_refused_where_times_are_compared(self):
        run = package.read_run(run_of("lud"))
        for twice in ("k40m,k40m", ["k40m", "k40m"], 2 * package.devices("k40m")):
            self.refused(package.BadArgument, "device 'k40m' is given twice", package.predict, run, twice)
            self.assertEqual(list(package.rank(run, twice)["device"]), ["k40m", "k40m"])
        for one in ("k40m", package.devices("k40m")):
            for call in (package.predict, package.rank):
                self.assertEqual(set(call(run, one)["device"]), {"k40m"})

    def test_incomplete_profiles_are_left_out_or_refused(self):
        folder = WORK / "incomplete"
        shutil.copytree(run_of("lud"), folder)
        one = folder / of_one_launch(folder)[0]
        content = json.loads(one.read_text())
        content.update(complete=False, reason="killed")
        one.write_text(json.dumps(content))
        run = package.read_run(folder)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            frame = package.predict(run, "gtx1080")
        self.assertEqual([str(one.message) for one in caught],
                         [f"{folder}: 1 of 13 profiles left out, because it is incomplete"])
        self.assertEqual(frame["launches"].sum(), 12)
        self.refused(package.UnusableProfile, "complete", package.predict, package.read_run(one), "gtx1080")

    def test_the_hostile_kernel_is_a_row_like_any_other(self):
        run = package.read_run(hostile())
        self.assertEqual(list(run.metrics()["kernel"]), ["__proto__"])
        self.assertIn("\ufffd", run.kernels[0].source)  # bytes that are not UTF-8
        self.assertIn("</script>", run.kernels[0].source)
        self.assertEqual(len(package.predict(run, DEVICES)), 4)


if __name__ == "__main__":
    unittest.main()
