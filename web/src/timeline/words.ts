// What the timeline says, in both languages.

import type {Lang} from '../shell/lang.ts';

const en = {
  platform: 'platform',
  broker: 'broker',
  clients: 'clients',
  process: 'the process',
  pid: (n: number) => `pid ${n}`,
  s: 's',
  reset: 'connection reset',
  ready: 'ready',
  unacked: 'unacked',
  inferred: 'seen from the client’s side',
  exit: (code: number) => `exit ${code}`,
  killed: (code: number, signal: string) => `${code} ${signal}`,
  chart: 'Timeline. The arrow keys go from bar to bar.',
  closer: 'Look closer',
  away: 'Look from further away',
  whole: 'The whole run',
  message: (id: string) => `message ${id}`,
  request: (id: string) => `request ${id}`,
  connection: (id: string) => `connection ${id}`,
  connLife: (from: string, to: string | undefined, peer: string) => `to ${peer}, open from ${from} ${to === undefined ? 'on' : `to ${to}`} s`,
  hint: 'Point at a bar, or go to it with the arrow keys: here is the life of that message.',
  hintHttp: 'Point at a bar, or go to it with the arrow keys: here is the life of that request.',
  seen: 'seen from the client’s side only',
  table: (n: number) => `All events as a table (${n})`,
  columns: ['no.', 's', 'from', 'event', 'about', ''],
  earlier: (n: number) => `${n} earlier events are not shown here.`,
  legend: 'What the shapes mean',
  fates: {running: 'in progress', done: 'done', again: 'done, and it comes again', returned: 'back in the queue, undone', lost: 'lost', dead: 'put aside: dead letter'},
  legends: {
    sent: 'signal sent', taken: 'signal taken', grace: 'time left before KILL', running: 'in progress', done: 'done',
    again: 'done, but it comes again', returned: 'back in the queue', redelivered: 'delivered again', lost: 'lost', cut: 'cut off', waiting: 'delivered, waits in the client',
    open: 'connection open', exit: 'exit', phase: 'phase', inferred: 'seen from the client’s side',
  },
  summary: {
    none: 'Nothing has happened yet.',
    process: (name: string, from: string) => `${name} started at ${from} s`,
    told: (signal: string, at: string) => `${signal} at ${at} s`,
    exit: (how: string, at: string) => `${how} at ${at} s`,
    runs: 'still running',
    amqp: (published: number, acked: number, back: number) => `${published} messages published, ${acked} acked, ${back} came back.`,
    http: (answered: number, cut: number) => `${answered} requests answered, ${cut} cut off.`,
  },
};

const ru: typeof en = {
  platform: 'платформа',
  broker: 'брокер',
  clients: 'клиенты',
  process: 'процесс',
  pid: n => `pid ${n}`,
  s: 'с',
  reset: 'связь сброшена',
  ready: 'ждут',
  unacked: 'без ack',
  inferred: 'видно со стороны клиента',
  exit: code => `код ${code}`,
  killed: (code, signal) => `${code} ${signal}`,
  chart: 'Ход событий. Стрелками можно переходить от полоски к полоске.',
  closer: 'Ближе',
  away: 'Дальше',
  whole: 'Весь прогон',
  message: id => `сообщение ${id}`,
  request: id => `запрос ${id}`,
  connection: id => `соединение ${id}`,
  connLife: (from, to, peer) => `с ${peer}, открыто с ${from} ${to === undefined ? '' : `до ${to} `}с`,
  hint: 'Наведите на полоску или дойдите до неё стрелками: здесь появится жизнь этого сообщения.',
  hintHttp: 'Наведите на полоску или дойдите до неё стрелками: здесь появится жизнь этого запроса.',
  seen: 'видно только со стороны клиента',
  table: n => `Все события таблицей (${n})`,
  columns: ['№', 'с', 'кто', 'событие', 'о чём', ''],
  earlier: n => `Более ранние события здесь не показаны: ${n}.`,
  legend: 'Что значат фигуры',
  fates: {running: 'в работе', done: 'сделано', again: 'сделано и придёт снова', returned: 'вернулось в очередь несделанным', lost: 'потеряно', dead: 'отложено: dead letter'},
  legends: {
    sent: 'сигнал послан', taken: 'сигнал принят', grace: 'время до KILL', running: 'в работе', done: 'сделано',
    again: 'сделано, но придёт снова', returned: 'вернулось в очередь', redelivered: 'доставлено снова', lost: 'потеряно', cut: 'оборвано', waiting: 'доставлено, ждёт в клиенте',
    open: 'соединение открыто', exit: 'выход', phase: 'фаза', inferred: 'видно со стороны клиента',
  },
  summary: {
    none: 'Пока ничего не произошло.',
    process: (name, from) => `${name} запущен на ${from} с`,
    told: (signal, at) => `${signal} на ${at} с`,
    exit: (how, at) => `${how} на ${at} с`,
    runs: 'ещё работает',
    amqp: (published, acked, back) => `Опубликовано сообщений: ${published}, с ack: ${acked}, вернулось: ${back}.`,
    http: (answered, cut) => `Запросов с ответом: ${answered}, оборвано: ${cut}.`,
  },
};

export type Words = typeof en;

export function wordsIn(lang: Lang): Words {
  return lang === 'ru' ? ru : en;
}
