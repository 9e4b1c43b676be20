// The button that jumps to the lab on a small screen goes away where the lab
// is in view already.

export function labJump(): void {
  const jump = document.querySelector<HTMLElement>('.lab-jump');
  const lab = document.querySelector('aside.lab');
  if (!jump || !lab) return;
  new IntersectionObserver(entries => {
    for (const entry of entries) jump.toggleAttribute('data-there', entry.isIntersecting);
  }).observe(lab);
}
