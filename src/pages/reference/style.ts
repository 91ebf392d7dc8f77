/** The stylesheet of the reference page. */
export const referenceStyle = `
:root {
  --paper: #fff; --ink: #1d2430; --faint: #5b6575; --line: #dfe3ea; --panel: #f5f7fa; --link: #0b57c2;
  --get: #12693d; --post: #0b57c2; --put: #8a5200; --delete: #b3261e;
  font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161d; --ink: #e4e8ef; --faint: #9aa5b5; --line: #2c3440; --panel: #1a2029; --link: #8ab8ff;
    --get: #6fd3a0; --post: #8ab8ff; --put: #f0bd6a; --delete: #ff9a92;
  }
}
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: minmax(0, 1fr); }
header, main, nav { padding: 0 1rem; }
header { border-bottom: 1px solid var(--line); }
h1 { font-size: 1.5rem; margin: 1rem 0 0; }
h2 { font-size: 1.4rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1.15rem; margin: 2rem 0 0; scroll-margin-top: 1rem; }
h4 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
h5 { font-size: 0.85rem; margin: 1rem 0 0.25rem; }
p { margin: 0.4rem 0; max-width: 46rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre {
  margin: 0.5rem 0; padding: 0.6rem 0.8rem; overflow-x: auto; background: var(--panel);
  border: 1px solid var(--line); border-radius: 6px; user-select: all;
}
nav { border-bottom: 1px solid var(--line); font-size: 0.85rem; padding-block: 0.5rem; }
nav ul { list-style: none; margin: 0 0 0.4rem; padding: 0; }
nav li { padding: 0.1rem 0; overflow-wrap: anywhere; }
nav li a { display: flex; }
nav li .method { flex: none; }
summary { cursor: pointer; padding: 0.25rem 0; }
nav summary { font-weight: 600; font-size: 1rem; }
.method { display: inline-block; min-width: 4.2em; font: 600 0.75rem/1.5 ui-monospace, monospace; }
.get { color: var(--get); }
.post { color: var(--post); }
.put, .patch { color: var(--put); }
.delete { color: var(--delete); }
.call, .shape {
  border: 1px solid var(--line); border-radius: 8px; padding: 0.4rem 1rem; margin: 0.5rem 0;
}
.call section, .shape section { scroll-margin-top: 4rem; }
.call > summary h4, .shape > summary h4 { display: inline; }
.call > summary .summary { margin-left: 0.8rem; color: var(--faint); font-size: 0.9rem; }
header form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0.6rem 0 1rem; }
header input, header button {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--faint); border-radius: 6px;
  padding: 0.3rem 0.6rem;
}
header input { flex: 0 1 24rem; min-width: 0; }
:target { outline: 2px solid var(--link); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem 0.3rem 0; border-top: 1px solid var(--line); }
th { font-weight: normal; width: 34%; overflow-wrap: anywhere; }
.type, .required { color: var(--faint); font-size: 0.85em; font-weight: normal; }
.answer { display: flex; gap: 0.8rem; border-top: 1px solid var(--line); padding: 0.2rem 0; font-size: 0.9rem; }
.answer > strong { flex: 0 0 2.6rem; padding-top: 0.4rem; color: var(--faint); }
.answer > div { flex: 1; min-width: 0; }
.good > strong { color: var(--get); }
@media (min-width: 60rem) {
  body { grid-template-columns: 20rem minmax(0, 60rem); }
  header { grid-column: 1 / -1; }
  nav {
    position: sticky; top: 0; height: 100vh; overflow-y: auto; border-bottom: 0; border-right: 1px solid var(--line);
  }
  main { padding: 0 2rem 4rem; }
  /* On narrow screens the list of calls is closed; here there is room for it. */
  nav details::details-content { content-visibility: visible; }
  @supports selector(::details-content) {
    nav summary { list-style: none; pointer-events: none; }
    nav summary::-webkit-details-marker { display: none; }
  }
}
@media (max-width: 40rem) {
  table, tbody, tr, th, td { display: block; width: auto; }
  th { border-top: 1px solid var(--line); padding-bottom: 0; }
  td { border-top: 0; padding-top: 0; }
}
`
