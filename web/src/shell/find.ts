// What is found in the course, and in which order.

/** A place that can be found: a lesson's top or one of its sections. */
export interface Place {
  readonly href: string;
  readonly lesson: string;
  readonly section: string;
  readonly text: string;
}

const shownAtMost = 12;

/** Case and ё do not matter to a reader who searches. */
export function plain(text: string): string {
  return text.toLowerCase().replaceAll('ё', 'е').replace(/\s+/g, ' ').trim();
}

/** Best first: what matches in a title goes before what matches in the text. */
export function find(all: readonly Place[], query: string): Place[] {
  const wanted = plain(query).split(' ').filter(word => word !== '');
  if (wanted.length === 0) return [];
  const scored: {place: Place; score: number}[] = [];
  for (const place of all) {
    const title = plain(place.section || place.lesson);
    const whole = `${plain(place.lesson)} ${title} ${plain(place.text)}`;
    if (!wanted.every(word => whole.includes(word))) continue;
    const inTitle = wanted.filter(word => title.includes(word)).length;
    // A section that has the words only in its lesson's name adds nothing to the lesson.
    if (inTitle === 0 && !wanted.some(word => plain(place.text).includes(word))) continue;
    scored.push({place, score: inTitle});
  }
  return scored.sort((a, b) => b.score - a.score).slice(0, shownAtMost).map(({place}) => place);
}

/** The words around the first match in the text. */
export function excerpt(place: Place, query: string): string {
  const [first = ''] = plain(query).split(' ');
  const text = place.text.trim();
  const at = text.toLowerCase().replaceAll('ё', 'е').indexOf(first);
  if (at < 0) return text.slice(0, 110);
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 40)));
  return (from > 0 ? '…' : '') + text.slice(from, from + 110).trim() + (from + 110 < text.length ? '…' : '');
}
