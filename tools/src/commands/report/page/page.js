// Sorts tables, and opens folders in the treemap. The page is complete without it.
'use strict';
(() => {
  document.documentElement.classList.add('has-script');

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

  // The treemap: drawn from the list of folders, which has the place of each.
  const map = document.getElementById('map');
  const tree = document.getElementById('tree');
  const path = document.getElementById('path');
  if (map && tree && path) {
    const svg = (name, attributes, ...children) => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      element.append(...children);
      return element;
    };
    const part = (folder, of) => folder.querySelector(`:scope > .row > ${of}, :scope > details > .row > ${of}`);
    const nameOf = (folder) => part(folder, '.folder').textContent;
    const pagesOf = (folder) => part(folder, '.pages').lastChild.textContent;
    const inside = (folder) => [...(folder ? folder.querySelectorAll(':scope > details > ul > li') : tree.children)];
    const upper = (folder) => folder.parentElement.closest('#tree li');
    const box = (place, attributes, folder, isInner) => {
      const [x, y, width, height, ...text] = place.split(' ');
      const size = { x: x + '%', y: y + '%', width: width + '%', height: height + '%' };
      const lines = [svg('rect', { width: '100%', height: '100%' })];
      const line = (kind, left, top, content) => svg('text', { class: kind, x: left, y: top }, content);
      lines.push(line(text.join(' '), isInner ? 6 : 7, isInner ? 15 : 16, nameOf(folder)));
      if (isInner) lines.unshift(svg('title', {}, folder.dataset.t));
      else lines.push(line(text.join(' ') + ' count', 7, 32, pagesOf(folder)));
      return svg('svg', { ...attributes, ...size }, ...lines);
    };
    const cell = (folder) => {
      const folders = inside(folder);
      const link = folders.length ? { href: '#' + folder.id } : {};
      const boxes = [box(folder.dataset.a, {}, folder, false)];
      for (const inner of folders) {
        if (inner.dataset.b) boxes.push(box(inner.dataset.b, { class: inner.dataset.c }, inner, true));
      }
      return svg('a', { ...link, class: 'cell ' + folder.dataset.c }, svg('title', {}, folder.dataset.t), ...boxes);
    };
    const show = (folder, mayFocus) => {
      map.replaceChildren(...inside(folder).map(cell));
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
      path.hidden = false;
      if (mayFocus) (map.querySelector('a[href]') ?? path.querySelector('button'))?.focus();
    };
    map.addEventListener('click', (event) => {
      const link = event.target.closest('a.cell');
      if (!link) return;
      event.preventDefault();
      const folder = document.getElementById((link.getAttribute('href') ?? '').slice(1));
      // A click with a mouse has a detail; the Enter key has none, and goes on with the keyboard.
      if (folder) show(folder, event.detail === 0);
    });
    show(map.dataset.view ? document.getElementById(map.dataset.view) : null, false);
  }

  // The latest months are at the right end, which a narrow screen does not show.
  const latest = [...document.querySelectorAll('.latest')];
  if (matchMedia('(max-width: 640px)').matches) for (const element of latest) element.scrollLeft = element.scrollWidth;

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
    for (const element of latest) element.scrollLeft = 0;
  });
  addEventListener('afterprint', () => {
    for (const details of closed) details.open = false;
  });
})();
