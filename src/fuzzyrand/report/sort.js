// Tables of class "sortable": a click on a column's head sorts by it, another one turns it round.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    const key = (row) => row.cells[column].textContent;
    // What is no number is "unknown", or "exact": an error of 0.
    const value = (row) =>
      key(row) === "unknown" ? Number.MAX_VALUE : Number.parseFloat(key(row)) || 0;
    button.addEventListener("click", () => {
      const numbers = head.classList.contains("num");
      // Numbers start with the largest, names with A.
      const was = head.getAttribute("aria-sort");
      const rising = was ? was === "descending" : !numbers;
      const order = [...body.rows].sort((a, b) =>
        numbers ? value(a) - value(b) : key(a).localeCompare(key(b), undefined, { numeric: true })
      );
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      body.append(...(rising ? order : order.reverse()));
    });
  });
}
