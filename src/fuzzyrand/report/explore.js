// The charts of an interactive page. Colours and widths follow the page; what is chosen in a chart is
// listed below it, and can be copied and saved.
(async () => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const spec = read("chart"), columns = read("columns"), colours = read("colours");
  const box = document.getElementById("view"), list = document.getElementById("list");
  delete spec.title; // the page says it
  let data; // name of the data with what is chosen
  const patch = (vega) => {
    data = vega.data.find((d) => (d.transform || []).some((t) => t.as === "chosen")).name;
    vega.layout.columns = { signal: "columns" };
    vega.signals.push({ name: "columns", value: 2 });
    return vega;
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let view, resized, asked;

  const colour = () => {
    const style = getComputedStyle(document.documentElement);
    for (const name of colours) view.signal(name, style.getPropertyValue(`--${name}`).trim());
  };
  const fit = () => {
    const width = box.clientWidth, wide = width >= 760;
    // All charts have the same width; the rest is for axes and gaps.
    view.signal("columns", wide ? 2 : 1).signal("childWidth", wide ? (width - 230) / 2 : width - 125);
    return view.resize().runAsync();
  };
  const chosen = () => {
    const rows = view.data(data).filter((row) => row.point !== null);
    const some = rows.filter((row) => row.chosen).sort((a, b) => a.score - b.score);
    return { some, all: some.length === rows.length };
  };
  const cell = (row, { field, decimals }) =>
    decimals === undefined ? String(row[field] ?? "") : row[field]?.toFixed(decimals) ?? "";
  const show = () => {
    const { some, all } = chosen();
    const body = list.querySelector("tbody"), most = 200;
    body.replaceChildren(...some.slice(0, most).map((row) => {
      const line = document.createElement("tr");
      for (const column of columns) {
        const place = document.createElement("td");
        place.className = column.decimals === undefined ? "text" : "num";
        place.textContent = cell(row, column);
        line.append(place);
      }
      return line;
    }));
    const count = some.length.toLocaleString("en");
    document.getElementById("count").textContent =
      (all ? `All ${count} points` : `${count} chosen point${some.length === 1 ? "" : "s"}`) +
      (some.length > most ? `, the ${most} lowest listed` : "");
  };
  const start = async () => {
    view?.finalize();
    ({ view } = await vegaEmbed(box, spec, {
      actions: false, ast: true, bind: "#menu", patch, renderer: "canvas",
      tooltip: { theme: dark.matches ? "dark" : "light" },
    }));
    window.view = view; // for the curious, and for tests
    colour();
    await fit();
    show();
    view.addDataListener(data, () => { cancelAnimationFrame(asked); asked = requestAnimationFrame(show); });
    const facts = [...document.querySelectorAll("[data-model]")];
    const turn = (_, model) => { for (const each of facts) each.hidden = each.dataset.model !== model; };
    if (facts.length) { turn("", view.signal("model")); view.addSignalListener("model", turn); }
  };
  const say = (text) => { document.getElementById("said").textContent = text; };
  document.getElementById("clear").addEventListener("click", () => { say(""); start(); });
  document.getElementById("copy").addEventListener("click", async () => {
    const ids = chosen().some.map((row) => row.id).join("\n");
    try {
      await navigator.clipboard.writeText(ids);
    } catch { // not everywhere allowed for files
      const area = document.createElement("textarea");
      area.value = ids;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say("Copied.");
  });
  document.getElementById("save").addEventListener("click", () => {
    // An apostrophe keeps spreadsheets from running text as a formula.
    const safe = (text) => (/^[=+\-@\t\r]/.test(text) && !Number.isFinite(+text) ? `'${text}` : text);
    const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = [columns.map(({ title }) => quoted(safe(title)))];
    for (const row of chosen().some)
      lines.push(columns.map(({ field }) => quoted(safe(String(row[field] ?? "")))));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines.map((line) => line.join(",") + "\n").join("")], { type: "text/csv" }));
    link.download = "points.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  });
  await start();
  new ResizeObserver(() => { clearTimeout(resized); resized = setTimeout(fit, 100); }).observe(box);
  dark.addEventListener("change", start);
})();
