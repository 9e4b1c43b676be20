import test from 'node:test';
import assert from 'node:assert/strict';
import {excerpt, find, type Place} from './find.ts';

const lesson: Place = {href: '/ru/lessons/04', lesson: 'Остановка потребителя', section: '', text: 'Выкладка присылает SIGTERM.'};
const phases: Place = {href: '/ru/lessons/04#phases', lesson: 'Остановка потребителя', section: 'Пять фаз', text: 'Подождать, но не дольше, чем отвела платформа: потребитель уйдёт.'};
const signals: Place = {href: '/ru/lessons/04#signal', lesson: 'Остановка потребителя', section: 'Сигнал становится контекстом', text: 'Пока не вызвана stop(), второй сигнал проглатывается.'};
const all = [lesson, phases, signals];

const hrefs = (query: string): string[] => find(all, query).map(place => place.href);

test('a match in a title goes before one in a text', () => {
  assert.deepEqual(hrefs('потребител'), [lesson.href, phases.href]);
});

test('every word must be there, in any order', () => {
  assert.deepEqual(hrefs('второй сигнал'), [signals.href]);
  assert.deepEqual(hrefs('сигнал второй'), [signals.href]);
  assert.deepEqual(hrefs('второй потоп'), []);
});

test('a section is not found by its lesson’s name alone', () => {
  assert.deepEqual(hrefs('остановка'), [lesson.href]);
});

test('case and ё do not matter', () => {
  assert.deepEqual(hrefs('УЙДЕТ'), [phases.href]);
  assert.deepEqual(hrefs('  '), []);
});

test('the excerpt holds the match, and says where it was cut', () => {
  const long: Place = {...phases, text: `${'слово '.repeat(40)}подтверждение ${'слово '.repeat(40)}`};
  const text = excerpt(long, 'ПОДТВЕРЖДЕНИЕ');
  assert.ok(text.includes('подтверждение'), text);
  assert.ok(text.startsWith('…') && text.endsWith('…'), text);
  assert.equal(excerpt(lesson, 'sigterm'), lesson.text);
});
