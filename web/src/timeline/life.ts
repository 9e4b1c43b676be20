// The life of one message or request, told in a line: what happened to it,
// when, and where. Made of its events alone.

import type {Event} from '../event.gen.ts';
import {seconds} from './axis.ts';

export interface Moment {
  readonly at: string;
  readonly what: string;
  /** Read from the client's side of the wire. */
  readonly inferred: boolean;
  /** Which of the palette's meanings it has. */
  readonly tone: 'done' | 'back' | 'lost' | 'plain';
}

type Teller = (e: Event) => string;

const en: Partial<Record<Event['kind'], Teller>> = {
  'message.published': () => 'published',
  'message.delivered': e => `delivered ${e.redelivered ? 'again, marked redelivered, ' : ''}to ${e.peer ?? '?'}`,
  'message.acked': () => 'acked',
  'message.nacked': e => `rejected by ${e.peer ?? '?'}`,
  'message.requeued': e => `back in the queue${why(e)}`,
  'message.deadletter': e => `to the dead-letter queue${why(e)}`,
  'message.dropped': e => `dropped${why(e)}`,
  'message.left': e => `left in the queue${e.redelivered ? ', marked redelivered' : ''}`,
  'work.started': e => `work begun in ${e.from}`,
  'work.finished': e => `work done in ${e.from}`,
  'ack.failed': e => `ack failed${why(e)}`,
  'request.started': e => `sent to ${e.peer ?? '?'}`,
  'request.finished': e => `answered ${e.status ?? ''}`.trim(),
  'request.refused': e => `refused${why(e)}`,
  'request.reset': e => `cut off${why(e)}`,
};

const ru: typeof en = {
  'message.published': () => 'опубликовано',
  'message.delivered': e => (e.redelivered ? `снова доставлено в ${e.peer ?? '?'}, с флагом redelivered` : `доставлено в ${e.peer ?? '?'}`),
  'message.acked': () => 'подтверждено (ack)',
  'message.nacked': e => `отвергнуто в ${e.peer ?? '?'}`,
  'message.requeued': e => `снова в очереди${why(e)}`,
  'message.deadletter': e => `в очередь dead-letter${why(e)}`,
  'message.dropped': e => `отброшено${why(e)}`,
  'message.left': e => `осталось в очереди${e.redelivered ? ', с флагом redelivered' : ''}`,
  'work.started': e => `${e.from} начал работу`,
  'work.finished': e => `${e.from} закончил работу`,
  'ack.failed': e => `ack не прошёл${why(e)}`,
  'request.started': e => `отправлен в ${e.peer ?? '?'}`,
  'request.finished': e => `ответ ${e.status ?? ''}`.trim(),
  'request.refused': e => `отказано${why(e)}`,
  'request.reset': e => `оборван${why(e)}`,
};

const tones: Partial<Record<Event['kind'], Moment['tone']>> = {
  'message.acked': 'done', 'work.finished': 'done', 'request.finished': 'done',
  'message.requeued': 'back',
  'message.deadletter': 'lost', 'message.dropped': 'lost', 'request.reset': 'lost', 'request.refused': 'lost', 'ack.failed': 'lost',
};

function why(e: Event): string {
  return e.text ? `: ${e.text}` : '';
}

/** Tells the events of one message or request, oldest first. */
export function life(events: readonly Event[], lang: 'en' | 'ru'): Moment[] {
  const tellers = lang === 'ru' ? ru : en;
  const out: Moment[] = [];
  for (const e of events) {
    const tell = tellers[e.kind];
    // The scenario's own taking out is told by message.left.
    if (!tell || (e.peer === 'you' && e.kind !== 'message.published')) continue;
    const failed = e.kind === 'request.finished' && (e.status ?? 0) >= 500;
    out.push({
      at: seconds(e.at / 1e6, 2, lang), what: tell(e), inferred: e.inferred === true,
      tone: failed ? 'lost' : (tones[e.kind] ?? 'plain'),
    });
  }
  return out;
}
