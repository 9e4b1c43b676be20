// Paper is a reader without scripts: the answers that the server wrote for such
// readers are put into the page while it is printed.

export function printing(): void {
  let shown: Element[] = [];
  addEventListener('beforeprint', () => {
    for (const noscript of document.querySelectorAll('main article noscript')) {
      const answers = document.createElement('div');
      answers.className = 'printed';
      // With scripts on, the parser keeps the server's markup in here as text.
      answers.innerHTML = noscript.textContent;
      for (const details of answers.querySelectorAll('details')) details.open = true;
      noscript.after(answers);
      shown.push(answers);
    }
  });
  addEventListener('afterprint', () => {
    for (const answers of shown) answers.remove();
    shown = [];
  });
}
