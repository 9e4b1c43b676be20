// serve -dev: loads the page again when a file of it has changed. The browser
// keeps the place.

export function reloadOnChange(): void {
  const events = new EventSource(`/dev/reload?of=${document.documentElement.dataset['dev'] ?? ''}`);
  let lost = false;
  events.addEventListener('reload', () => location.reload());
  // The server was started again: what it serves may be another page.
  events.addEventListener('error', () => {
    lost = true;
  });
  events.addEventListener('open', () => {
    if (lost) location.reload();
  });
}
