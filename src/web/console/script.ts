/**
 * The only script, and no page needs it: `/` goes to the search field. Served from a file, since the policy of the
 * pages lets nothing inline run.
 */
export const SCRIPT = `'use strict'
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
  const at = document.activeElement
  if (at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName))) return
  const field = document.querySelector('[data-search]')
  if (field === null) return
  event.preventDefault()
  if (field instanceof HTMLInputElement) { field.focus(); field.select() } else { location.assign(field.getAttribute('href')) }
})
`
