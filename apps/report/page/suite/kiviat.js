// What each kernel is like, in the axes of the thesis, one scale for all.

views.kiviat = (view, say) => {
  const {focus} = view;
  const byProgram = view.kiviats === "program";
  const kinds = [["kernel", say("byKernel")], ["program", say("byProgram")]];
  const diagrams = byProgram ?
    h("div", {class: "kiviats"}, data.programs.map((one) => programDiagram(one, view, say))) :
    kiviatGroups(view, say).map((group) => kiviatGroup(group, view, say));
  return {
    caption: say("caption", {kernel: cut(focus.label, 60)}),
    picture: (width) => radar({
      width,
      label: say("label"),
      axes: kiviatAxes,
      legends: kiviatLegends,
      series: [{
        name: focus.label,
        index: 1,
        values: kiviatValues(focus),
        texts: kiviatAxes.map((axis) => valueText(metric(focus, axis.key))),
      }],
    }),
    below: [
      h("p", {class: "controls"}, select("kiviats", say("each"), kinds, view.kiviats)),
      h("figure", {}, diagrams,
        h("figcaption", {}, say(byProgram ? "programsSaid" : "kernelsSaid"))),
    ],
  };
};

const kiviatLegends = ["Parallelism", "Compute", "Memory", "Control"].map((category) => ({
  name: category.toLowerCase(),
  index: categoryLooks[category],
}));

function kiviatGroups(view, say) {
  const quiet = (text) => h("span", {class: "quiet"}, text);
  const groups = view.clusters.map((cluster) => ({
    title: [
      sample(cluster.index),
      h("span", {}, say("cluster", {number: cluster.index + 1})),
      quiet(apartText(cluster, 2)),
    ],
    index: cluster.index,
    kernels: cluster.members.map((i) => suite[i]),
  }));
  if (!groups.length) groups.push({title: say("all"), index: 0, kernels: suite});
  if (fresh.length) groups.push({title: say("new"), index: 1, kernels: fresh});
  return groups;
}

function kiviatGroup({title, index, kernels}, view, say) {
  const diagram = (kernel) => smallDiagram({
    kernels: [kernel],
    index,
    focus: kernel,
    name: kernel.label,
    text:
      [kernel.name.slice(0, 40), h("br"), h("span", {class: "quiet"}, cut(kernel.owner.name, 24))],
  },
    view, say);
  return h("div", {class: "kiviats"}, h("h3", {}, title), kernels.map(diagram));
}

function programDiagram(program, view, say) {
  const kernels = data.kernels.filter((kernel) => kernel.owner === program);
  const focus = kernels.includes(view.focus) ? view.focus : kernels[0];
  const text = cut(program.name, 40);
  return smallDiagram({kernels, index: 0, focus, name: program.name, text}, view, say);
}

// A button with the diagram of `kernels` over each other, which makes the page look at `focus`.
function smallDiagram({kernels, index, focus, name, text}, view, say) {
  const {parts} = web({
    centre: {x: 68, y: 68},
    radius: 60,
    markerSize: 2.4,
    axes: kiviatAxes.map((axis) => ({name: axis.name, index: axis.index})),
    series: kernels.map((kernel, i) => ({
      name: kernel.label,
      index: kernels.length > 1 ? i : index,
      className: "area",
      values: kiviatValues(kernel),
    })),
  });
  return h("button", {
    type: "button",
    class: "kiviat",
    id: `kiviat-${focus.place}`,
    "aria-pressed": kernels.includes(view.focus) ? "true" : "false",
    onclick: () => set({focus: focus.place}),
  },
    s("svg", {viewBox: "0 0 136 136", role: "img", "aria-label": say("small", {name})}, parts),
    h("span", {}, text));
}
