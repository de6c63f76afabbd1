// Sorts tables, and draws the treemap of folders. The page is complete without it.
'use strict';
(() => {
  // Tables: a click on a heading sorts, a second one turns the order round.
  const collator = new Intl.Collator('en', { numeric: true });
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return cell ? cell.dataset.v ?? cell.textContent.trim() : '';
  };
  const sort = (heading) => {
    const isNumber = heading.dataset.sort === 'number';
    const was = heading.getAttribute('aria-sort');
    const order = was ? (was === 'ascending' ? 'descending' : 'ascending') : isNumber ? 'descending' : 'ascending';
    const column = heading.cellIndex;
    const compare = isNumber
      ? (a, b) => Number(valueOf(a, column)) - Number(valueOf(b, column))
      : (a, b) => collator.compare(valueOf(a, column), valueOf(b, column));
    const sign = order === 'ascending' ? 1 : -1;
    const body = heading.closest('table').tBodies[0];
    body.append(...[...body.rows].sort((a, b) => sign * compare(a, b)));
    for (const other of heading.parentElement.cells) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', order);
  };
  for (const heading of document.querySelectorAll('table.sortable th[data-sort]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    button.addEventListener('click', () => sort(heading));
    heading.append(button);
  }

  // The treemap of the list of folders. Areas are numbers of pages, in boxes as square as possible (M. Bruls, K. Huizing,
  // J. J. van Wijk: Squarified Treemaps. Data Visualization 2000, pages 33-42).
  const map = document.getElementById('map');
  const tree = document.getElementById('tree');
  const path = document.getElementById('path');
  const part = (folder, of) => folder.querySelector(`:scope > .row > ${of}, :scope > details > .row > ${of}`);
  const nameOf = (folder) => part(folder, '.folder').textContent;
  // The row in words: `blog/: Pages 120, Share 12%, …`
  const textOfRow = (folder) => [...part(folder, '.folder').parentElement.children].map((cell) => cell.textContent).join(', ').replace(', ', ': ');
  const pagesOf = (folder) => Number(folder.dataset.n);
  const inside = (folder) => [...(folder ? folder.querySelectorAll(':scope > details > ul > li') : tree.children)];
  const upper = (folder) => folder.parentElement.closest('#tree li');
  // On a desk the map is wider than this, on a phone narrower.
  const room = { x: 0, y: 0, width: 1500, height: 1000 };
  const sum = (folders) => folders.reduce((pages, folder) => pages + pagesOf(folder), 0);
  // The number of folders in a row along that side whose worst box is as square as possible.
  const rowLength = (folders, scale, side) => {
    const areas = folders.map((folder) => pagesOf(folder) * scale);
    let [total, most, best] = [0, 0, Infinity];
    const end = areas.findIndex((area) => {
      [total, most] = [total + area, Math.max(most, area)];
      const square = side ** 2;
      const worst = Math.max((square * most) / total ** 2, total ** 2 / (square * area));
      const isWorse = worst > best;
      best = worst;
      return isWorse;
    });
    return end < 0 ? areas.length : end;
  };
  const layout = (folders, { x, y, width, height }) => {
    const pages = sum(folders);
    if (!pages) return [];
    const scale = (width * height) / pages;
    const boxes = [];
    for (let rest = folders; rest.length;) {
      const row = rest.slice(0, rowLength(rest, scale, Math.min(width, height)));
      rest = rest.slice(row.length);
      const isColumn = width >= height;
      const depth = (sum(row) * scale) / (isColumn ? height : width) || 0;
      let along = 0;
      for (const folder of row) {
        const length = (pagesOf(folder) * scale) / depth || 0;
        boxes.push(isColumn
          ? { folder, x, y: y + along, width: depth, height: length }
          : { folder, x: x + along, y, width: length, height: depth });
        along += length;
      }
      if (isColumn) [x, width] = [x + depth, width - depth];
      else [y, height] = [y + depth, height - depth];
    }
    return boxes;
  };
  const svg = (name, attributes, ...children) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  // Text only where it fits: the name, and the number of pages. On a phone a box is narrower.
  const textOf = ({ width, height }, isFrame) => {
    const [w, h] = [width / room.width, height / room.height];
    const lines = w < 0.055 || h < 0.045 ? 0 : isFrame || w < 0.06 || h < 0.09 ? 1 : 2;
    return `t${lines}` + (lines && w < 1 / 6 ? ' narrow' : '');
  };
  const draw = (box, attributes, isFrame, isInner) => {
    const percent = (value, of) => `${((100 * value) / of).toFixed(2)}%`;
    const size = {
      x: percent(box.x, room.width), y: percent(box.y, room.height),
      width: percent(box.width, room.width), height: percent(box.height, room.height),
    };
    const text = textOf(box, isFrame);
    const line = (kind, left, top, content) => svg('text', { class: kind, x: left, y: top }, content);
    const lines = [svg('rect', { width: '100%', height: '100%' })];
    lines.push(line(text, isInner ? 6 : 7, isInner ? 15 : 16, nameOf(box.folder)));
    if (isInner) lines.unshift(svg('title', {}, textOfRow(box.folder)));
    else lines.push(line(`${text} count`, 7, 32, part(box.folder, '.pages').lastChild.textContent));
    return svg('svg', { ...attributes, ...size }, ...lines);
  };
  const cell = (box) => {
    const { folder, x, y, width, height } = box;
    const folders = inside(folder);
    // Below the line with the name, within a margin.
    const hasRoom = width > 60 && height > 88;
    const within = { x: x + 7, y: y + 48, width: width - 14, height: height - 55 };
    const inner = hasRoom ? layout(folders, within) : [];
    const link = svg(
      'a',
      { ...(folders.length ? { href: '#folders' } : {}), class: `cell ${folder.dataset.c}` },
      svg('title', {}, textOfRow(folder)),
      draw(box, {}, inner.length > 0, false),
      ...inner.map((one) => draw(one, { class: one.folder.dataset.c }, true, true)),
    );
    link.addEventListener('click', (event) => {
      event.preventDefault();
      // A click with a mouse has a detail; the Enter key has none, and goes on with the keyboard.
      if (folders.length) show(folder, event.detail === 0);
    });
    return link;
  };
  const show = (folder, mayFocus) => {
    map.replaceChildren(...layout(inside(folder), room).map(cell));
    const steps = [];
    for (let step = folder; step; step = upper(step)) steps.unshift(step);
    const isLast = (index) => index === steps.length;
    const names = ['All', ...steps.map(nameOf)];
    path.replaceChildren(...names.flatMap((name, index) => {
      const element = document.createElement(isLast(index) ? 'b' : 'button');
      element.textContent = name;
      if (!isLast(index)) {
        element.type = 'button';
        element.addEventListener('click', () => show(index ? steps[index - 1] : null, true));
      }
      return index ? [' \u203a ', element] : [element];
    }));
    if (mayFocus) (map.querySelector('a[href]') ?? path.querySelector('button'))?.focus();
  };
  if (map && tree.querySelector('details, li + li')) {
    document.getElementById('map-of-folders').hidden = false;
    const [first, ...others] = tree.children;
    show(others.length ? null : first, false);
  }

  // What does not scroll needs no stop for the Tab key.
  const scrolling = new ResizeObserver((entries) => {
    for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
  });
  for (const element of document.querySelectorAll('.scroll, pre')) scrolling.observe(element);

  // On paper nothing can be opened.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open]):not(.on-screen)')];
    for (const details of closed) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of closed) details.open = false;
  });
})();
