// The schedules of a run, one panel each: those of the policies, and that of the best device alone.

views.gantt = (view, say) => {
  const {schedules} = data.schedule;
  const singles = schedules.filter((one) => one.device !== null);
  const least = Math.min(...singles.map((one) => one.makespan_us));
  const best = singles.find((one) => one.makespan_us === least);
  const shown = schedules.filter((one) => one.device === null || one === best);
  const names = [...data.kernels, say("fromHost"), say("toHost")];
  const legends = names.map((name, i) => ({name: `${i + 1} ${name}`, index: i}));
  return {
    caption: say("caption"),
    picture: (width) => gantt({
      width,
      legends,
      label: say("label"),
      axisTitle: say("axis"),
      panels: shown.map((one) => schedulePanel(one, say)),
    }),
  };
};

function schedulePanel(schedule, say) {
  const name = schedule.device === null ? schedule.policy : say("alone", schedule);
  const rows = [];
  data.workers.forEach((worker, i) => {
    if (schedule.device !== null && !schedule.workers[i].launches) return;
    rows.push({name: worker, bars: taskBars(schedule, i, say)});
    for (const direction of ["to_device", "to_host"]) {
      const bars = transferBars(schedule, i, direction, say);
      if (bars.length)
        rows.push({name: say(direction === "to_host" ? "toHost" : "fromHost"), thin: true, bars});
    }
  });
  return {title: `${name}: ${duration(schedule.makespan_us)}`, rows};
}

const byBegin = (a, b) => a.begin - b.begin;
function taskBars(schedule, worker, say) {
  const bars = [];
  schedule.tasks.forEach((task, i) => {
    if (task.worker !== worker) return;
    const texts = {
      ...task,
      time: duration(task.end_us - task.begin_us),
      begin: duration(task.begin_us)
    };
    bars.push({
      begin: task.begin_us,
      end: task.end_us,
      index: data.kinds[i],
      text: String(data.kinds[i] + 1),
      title: say("taskTitle", texts),
    });
  });
  return bars.sort(byBegin);
}
function transferBars(schedule, worker, direction, say) {
  const some =
    schedule.transfers.filter((one) => one.worker === worker && one.direction === direction);
  return some
    .map((one) => ({
      begin: one.begin_us,
      end: one.end_us,
      index: data.kernels.length + (direction === "to_host" ? 1 : 0),
      title: say("transferTitle", {
        ...one,
        bytes: bytesText(one.bytes),
        time: duration(one.end_us - one.begin_us),
      }),
    }))
    .sort(byBegin);
}
