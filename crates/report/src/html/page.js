"use strict";
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // What happened, for a moment.
  let quiet = 0;
  const say = (text) => {
    const said = one("#said");
    said.textContent = text;
    said.classList.add("shown");
    clearTimeout(quiet);
    quiet = setTimeout(() => said.classList.remove("shown"), 1500);
  };

  // Light or dark.
  one("#theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    draw();
  });

  // Copying; pages from a disk may not have a clipboard of their own.
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say("Copied");
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".copy");
    if (button) copy(one("pre", button.parentElement).textContent);
  });

  // Filters hide what does not have all words.
  const filter = (items, shown, matches) => {
    let count = 0;
    for (const item of items) {
      const fits = matches(item);
      item.hidden = !fits;
      count += fits;
    }
    shown.textContent = `${count} of ${items.length}`;
  };
  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const texts = new WeakMap();
  const text = (item) => {
    if (!texts.has(item)) texts.set(item, (item.textContent + " " + item.id).toLowerCase());
    return texts.get(item);
  };
  const differences = all(".difference");
  const box = one("#filter-differences");
  if (box) {
    box.addEventListener("input", () => {
      const wanted = words(box.value);
      filter(differences, one("#differences-shown"), (item) => wanted.every((word) => text(item).includes(word)));
    });
  }
  const rows = all(".partitions li");
  const rowBox = one("#filter-partitions");
  const kind = one("#kind-partitions");
  if (rowBox) {
    const refilter = () => {
      const wanted = words(rowBox.value);
      const fits = (item) => (!kind.value || item.dataset.kind === kind.value) && wanted.every((word) => text(item).includes(word));
      filter(rows, one("#partitions-shown"), fits);
    };
    rowBox.addEventListener("input", refilter);
    kind.addEventListener("input", refilter);
    // Who follows a link wants to see where it leads.
    document.addEventListener("click", (event) => {
      const link = event.target.closest(".treemap a[href]");
      const row = link && one(link.getAttribute("href"));
      if (row && row.hidden) {
        rowBox.value = kind.value = "";
        refilter();
      }
    });
  }

  // Keys.
  let current = -1;
  const go = (step) => {
    const visible = differences.filter((item) => !item.hidden);
    if (!visible.length) return;
    const at = visible.indexOf(differences[current]);
    const next = visible[Math.max(0, Math.min(visible.length - 1, at + step))];
    differences.forEach((item) => item.classList.toggle("current", item === next));
    current = differences.indexOf(next);
    next.open = true;
    one("summary", next).focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  };
  const focus = (input) => {
    if (!input) return;
    input.focus();
    input.scrollIntoView({ block: "center" });
  };
  const help = one("#keys");
  one("#help").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    const inside = event.target.closest("input, select, textarea, dialog");
    if (event.key === "Escape" && inside && inside.blur) inside.blur();
    if (inside || event.ctrlKey || event.metaKey || event.altKey) return;
    const does = {
      j: () => go(1),
      k: () => go(-1),
      "/": () => focus(box),
      p: () => focus(rowBox),
      "?": () => help.showModal(),
      c: () => {
        const command = differences[current] && one(".reproduce", differences[current]);
        if (command) copy(command.textContent);
      },
    }[event.key];
    if (does) {
      event.preventDefault();
      does();
    }
  });
  // A link to a difference opens it.
  const opened = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target && target.matches("details")) target.open = true;
  };
  addEventListener("hashchange", opened);
  opened();

  // The plane: every pixel is an input, and has the colour of the partition whose conditions it fulfils.
  let draw = () => {};
  const data = one("#plane-data");
  if (!data) return;
  const { regions, not_drawn, unlisted } = JSON.parse(data.textContent);
  const named = (region) => region.atoms.flatMap((atom) => (atom.is === "in" ? [atom.name] : [atom.left, atom.right].filter((own) => typeof own === "string")));
  const shapes = [...new Set(regions.map((region) => region.shape))];
  const inShape = (shape) => regions.filter((region) => region.shape === shape);
  const inputsOf = (shape) => [...new Set(inShape(shape).flatMap(named))].sort();
  const usable = shapes.filter((shape) => inputsOf(shape).length >= 2);
  if (!usable.length) return;
  one("#plane").hidden = false;
  const [xs, ys, shapeBox, others, canvas] = ["#plane-x", "#plane-y", "#plane-shape", "#plane-others", "#plane-canvas"].map((id) => one(id));
  const option = (value) => new Option(value, value);
  usable.forEach((shape) => shapeBox.append(new Option(shape || "all inputs", shape)));
  one("#plane-shape-label").hidden = usable.length < 2;
  let view = { x: 0, y: 0, across: 1, up: 1 };
  const fixed = new Map();
  const constants = (name) => inShape(shapeBox.value).flatMap((region) => region.atoms).flatMap((atom) => {
    if (atom.is === "in") return atom.name === name ? atom.ranges.flat() : [];
    const [left, right] = [atom.left, atom.right];
    return left === name && typeof right === "number" ? [right] : right === name && typeof left === "number" ? [left] : [];
  });
  const span = (name) => {
    const known = constants(name);
    if (!known.length) return [-12, 12];
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const room = Math.max(3, Math.ceil((high - low) / 4));
    return [low - room, high + room];
  };
  const reset = () => {
    const [left, right] = span(xs.value);
    const [bottom, top] = span(ys.value);
    view = { x: left, y: bottom, across: right - left + 1, up: top - bottom + 1 };
  };
  const choose = () => {
    const names = inputsOf(shapeBox.value);
    const keep = [xs.value, ys.value];
    xs.replaceChildren(...names.map(option));
    ys.replaceChildren(...names.map(option));
    xs.value = names.includes(keep[0]) ? keep[0] : names[0];
    ys.value = names.includes(keep[1]) && keep[1] !== xs.value ? keep[1] : names.find((name) => name !== xs.value);
    rest();
  };
  const rest = () => {
    if (xs.value === ys.value) ys.value = inputsOf(shapeBox.value).find((name) => name !== xs.value);
    const names = inputsOf(shapeBox.value).filter((name) => name !== xs.value && name !== ys.value);
    others.replaceChildren(...names.map((name) => {
      const label = document.createElement("label");
      const input = Object.assign(document.createElement("input"), { type: "number", value: fixed.get(name) ?? constants(name)[0] ?? 0 });
      fixed.set(name, Number(input.value));
      input.addEventListener("input", () => {
        fixed.set(name, Number(input.value));
        draw();
      });
      label.append(`${name} = `, input, " ");
      return label;
    }));
    reset();
    draw();
  };
  const holds = (atom, value) => {
    if (atom.is === "in") {
      const own = value(atom.name);
      return atom.ranges.some(([low, high]) => low <= own && own <= high) !== atom.not;
    }
    const [left, right] = [atom.left, atom.right].map((own) => (typeof own === "string" ? value(own) : own));
    return { "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right, "==": left === right, "!=": left !== right }[atom.op];
  };
  const at = (x, y) => {
    const value = (name) => (name === xs.value ? x : name === ys.value ? y : fixed.get(name) ?? 0);
    return inShape(shapeBox.value).find((region) => region.atoms.every((atom) => holds(atom, value)));
  };
  const edge = { left: 56, bottom: 34 };
  draw = () => {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const [right, top] = [width - edge.left, height - edge.bottom];
    // Whole numbers are squares if there is room for them.
    const columns = Math.min(view.across, 160);
    const lines = Math.min(view.up, 110);
    const drawn = new Map();
    for (let column = 0; column < columns; column++) {
      for (let line = 0; line < lines; line++) {
        const region = at(view.x + Math.floor((column * view.across) / columns), view.y + Math.floor((line * view.up) / lines));
        if (!region) continue;
        drawn.set(region, (drawn.get(region) || 0) + 1);
        pen.fillStyle = colour(region.kind);
        pen.globalAlpha = 0.55 + 0.4 * ((region.partition * 0.618) % 1);
        pen.fillRect(edge.left + (column * right) / columns, top - ((line + 1) * top) / lines, right / columns + 0.5, top / lines + 0.5);
      }
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = pen.fillStyle = colour("muted");
    pen.font = "12px system-ui, sans-serif";
    pen.beginPath();
    pen.moveTo(edge.left, 0);
    pen.lineTo(edge.left, top);
    pen.lineTo(width, top);
    pen.stroke();
    const ticks = (low, count, most) => {
      const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => count / step <= most) || 10 ** Math.ceil(Math.log10(count / most));
      const values = [];
      for (let value = Math.ceil(low / step) * step; value < low + count; value += step) values.push(value);
      return values;
    };
    pen.textAlign = "center";
    for (const value of ticks(view.x, view.across, Math.max(3, right / 70))) {
      const x = edge.left + ((value - view.x + 0.5) * right) / view.across;
      pen.fillText(value, x, top + 15);
    }
    pen.fillText(xs.value, edge.left + right / 2, height - 4);
    pen.textAlign = "right";
    for (const value of ticks(view.y, view.up, Math.max(3, top / 45))) {
      pen.fillText(value, edge.left - 6, top - ((value - view.y + 0.5) * top) / view.up + 4);
    }
    pen.save();
    pen.translate(12, top / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(ys.value, 0, 0);
    pen.restore();
    const missing = not_drawn + unlisted;
    tell(`${drawn.size} partition${drawn.size === 1 ? "" : "s"} in sight. ` + (missing ? `${missing} have conditions that are not about single inputs, or are not listed, and are not drawn.` : "All partitions can be drawn.")
      + (regions.some((region) => region.is_cut) ? " Some are drawn only for bytes up to 127: their conditions do not say whether bytes are signed." : ""));
  };
  let usual = "";
  const tell = (text) => {
    usual = text;
    one("#plane-said").textContent = text;
  };
  const point = (event) => {
    const place = canvas.getBoundingClientRect();
    const [right, top] = [place.width - edge.left, place.height - edge.bottom];
    const x = view.x + Math.floor(((event.clientX - place.left - edge.left) / right) * view.across);
    const y = view.y + Math.floor(((top - (event.clientY - place.top)) / top) * view.up);
    return [x, y];
  };
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = point(event);
    const region = at(x, y);
    const what = region ? `partition ${region.partition}, ${region.kind === "open" ? "not known" : region.kind}` : "no partition that is drawn";
    one("#plane-said").textContent = `${xs.value} = ${x}, ${ys.value} = ${y}: ${what}`;
  });
  canvas.addEventListener("pointerleave", () => tell(usual));
  canvas.addEventListener("click", (event) => {
    const region = at(...point(event));
    if (region) location.hash = `p${region.partition}`;
  });
  const zoom = (by, x = view.x + view.across / 2, y = view.y + view.up / 2) => {
    const across = Math.max(4, Math.min(2 ** 34, Math.round(view.across * by)));
    const up = Math.max(4, Math.min(2 ** 34, Math.round(view.up * by)));
    view = { x: Math.round(x - ((x - view.x) * across) / view.across), y: Math.round(y - ((y - view.y) * up) / view.up), across, up };
    draw();
  };
  const move = (x, y) => {
    view = { ...view, x: view.x + Math.round(x * view.across), y: view.y + Math.round(y * view.up) };
    draw();
  };
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== canvas) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.3 : 1 / 1.3, ...point(event));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const does = { "+": () => zoom(1 / 1.5), "-": () => zoom(1.5), ArrowLeft: () => move(-0.1, 0), ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, 0.1), ArrowDown: () => move(0, -0.1) }[event.key];
    if (does) {
      event.preventDefault();
      does();
    }
  });
  one("#zoom-in").addEventListener("click", () => zoom(1 / 1.5));
  one("#zoom-out").addEventListener("click", () => zoom(1.5));
  one("#zoom-reset").addEventListener("click", () => {
    reset();
    draw();
  });
  shapeBox.addEventListener("input", choose);
  xs.addEventListener("input", rest);
  ys.addEventListener("input", rest);
  addEventListener("resize", () => draw());
  choose();
})();
