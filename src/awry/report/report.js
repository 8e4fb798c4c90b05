// SPDX-License-Identifier: Apache-2.0
// Conveniences only: without this script every card, table and number is there.
"use strict";
(() => {
  const root = document.documentElement;

  // --- light and dark
  const theme = document.getElementById("theme");
  const prefers_dark = window.matchMedia("(prefers-color-scheme: dark)");
  const is_dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefers_dark.matches);
  const name_theme = () => { theme.textContent = is_dark() ? "Light" : "Dark"; };
  theme.addEventListener("click", () => {
    root.dataset.theme = is_dark() ? "light" : "dark";
    name_theme();
  });
  prefers_dark.addEventListener("change", name_theme);
  name_theme();
  theme.hidden = false;

  // --- tables as tab-separated values
  const cell_text = (cell) => (cell.dataset.tsv ?? cell.textContent).replace(/\s+/g, " ").trim();
  const table_text = (table) =>
    [...table.rows].map((row) => [...row.cells].map(cell_text).join("\t")).join("\n") + "\n";
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Files opened from disk may have no clipboard access; the old way still works there.
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };
  for (const table of document.querySelectorAll("table.copyable")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy as TSV";
    button.addEventListener("click", async () => {
      button.textContent = (await copy(table_text(table))) ? "Copied" : "Could not copy";
      setTimeout(() => { button.textContent = "Copy as TSV"; }, 1500);
    });
    table.after(button);
  }

  // --- filters
  const form = document.getElementById("filters");
  if (form) {
    const cards = [...document.querySelectorAll(".card")];
    const shown = document.getElementById("shown");
    const words_of = new Map();  // filled when first searched
    const words = (card) => {
      if (!words_of.has(card)) words_of.set(card, card.textContent.toLowerCase());
      return words_of.get(card);
    };
    const has = (list, wanted) => wanted === "" || list.split(" ").includes(wanted);
    const apply = () => {
      const { outcome, mark, group, text } = Object.fromEntries(new FormData(form));
      const wanted = text.trim().toLowerCase();
      let count = 0;
      for (const card of cards) {
        const keep = has(card.dataset.outcomes, outcome) && has(card.dataset.mark, mark) &&
          has(card.dataset.groups, group) && (wanted === "" || words(card).includes(wanted));
        card.hidden = !keep;
        count += keep;
      }
      shown.textContent = `${count} of ${cards.length} shown`;
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());

    // A link may carry filters: report.html#outcome=refused&text=cat
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
      const field = form.elements.namedItem(name);
      if (field && "value" in field) field.value = value;
    }

    const step = (by) => {
      const visible = cards.filter((card) => !card.hidden);
      const here = visible.indexOf(document.activeElement?.closest(".card"));
      const next = visible[here < 0 ? 0 : Math.min(visible.length - 1, Math.max(0, here + by))];
      next?.focus({ preventScroll: true });
      next?.scrollIntoView({ block: "start" });
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") {
        form.reset();
        apply();
      } else if (event.target.closest("input, select, textarea")) {
        return;
      } else if (event.key === "/") {
        event.preventDefault();
        form.elements.namedItem("text").focus();
      } else if (event.key === "j" || event.key === "k") {
        step(event.key === "j" ? 1 : -1);
      }
    });
    form.hidden = false;
    apply();
  }
  root.dataset.ready = "yes";
})();
