// @ts-check
// Keeps the part of a page that shows what happens up to date.

document.documentElement.classList.add('scripted')
