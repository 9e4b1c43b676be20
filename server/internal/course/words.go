package course

import "fmt"

// words are the pages' own words in one language.
type words struct {
	Other, OtherName, Language string // the other language: its code and its name; "Language"
	Skip, Course, Cards, Nav   string
	Search, Theme, Noscript    string
	Description                string
	Planned, Ready             string
	Contents, Pager            string
	Previous, Next, ToLab      string
	MapTitle, MapLead          string
	MapIntro                   string
	Steps                      []string
	StartCourse, Lessons       string
	LessonsLead                string
	CardsTitle, CardsLead      string
	CardsNoscript, NoCards     string
	LabLabel                   string
	ToMap, ErrorDo             string
	notFound, broken, refused  string

	lessonOf func(n, of int) string
	minutes  func(n int) string
}

// LessonOf is "Lesson 4 of 14".
func (w *words) LessonOf(n, of int) string { return w.lessonOf(n, of) }

// MinutesOf is "25 min".
func (w *words) MinutesOf(n int) string { return w.minutes(n) }

var english = &words{
	Other: "ru", OtherName: "Русский", Language: "Language",
	Skip: "Skip to the text", Course: "Course", Cards: "Cards", Nav: "Main",
	Search: "Search in the course", Theme: "Theme",
	Noscript:    "Everything can be read without JavaScript. The lab, the checks of answers and your progress need it.",
	Description: "A course on stopping Go services without losing work: RabbitMQ consumers, HTTP, gRPC, Kafka, under Docker, systemd and Kubernetes.",
	Planned:     "planned", Ready: "ready",
	Contents: "In this lesson", Pager: "Lessons beside this one",
	Previous: "Previous", Next: "Next", ToLab: "Lab",
	MapTitle: "Stop a Go service. Lose nothing.",
	MapLead:  "Every deploy ends with a signal to the old process, which has work in its hands. Drainlab teaches what to do in the seconds that are left, and lets you try it on real processes.",
	MapIntro: "Here is one: a RabbitMQ consumer. This server starts it as a real process, with a real broker.",
	Steps: []string{
		"Press <b>Just run</b>. A real process starts, works on two messages and holds a third.",
		"Press <b>TERM</b>. It is told to stop with all three in its hands.",
		"Look at what came back to the queue. Then do the same with <b>KILL</b>, or with a program that stops wrongly.",
	},
	StartCourse: "Read the lesson about it", Lessons: "The course",
	LessonsLead: "Read, predict what a program will do, run it, see whether you were right. Each lesson stands by itself.",
	CardsTitle:  "Cards", CardsLead: "Cards from all lessons, each at the moment when you are about to forget it.",
	CardsNoscript: "Which card is due is worked out in your browser, with JavaScript. Without it, here are all of them.",
	NoCards:       "No lesson has cards yet.",
	LabLabel:      "Lab",
	ToMap:         "To the course map", ErrorDo: "If you followed a link from a lesson, the lesson is wrong; please say so.",
	notFound: "There is no such page", broken: "Something broke on the server", refused: "This request was refused",
	lessonOf: func(n, of int) string { return fmt.Sprintf("Lesson %d of %d", n, of) },
	minutes:  func(n int) string { return fmt.Sprintf("%d min", n) },
}

var russian = &words{
	Other: "en", OtherName: "English", Language: "Язык",
	Skip: "Сразу к тексту", Course: "Курс", Cards: "Карточки", Nav: "Главное меню",
	Search: "Поиск по курсу", Theme: "Тема",
	Noscript:    "Всё можно прочитать и без JavaScript. Он нужен лаборатории, проверке ответов и прогрессу.",
	Description: "Курс о том, как останавливать сервисы на Go и не терять работу: консьюмеры RabbitMQ, HTTP, gRPC, Kafka, в Docker, systemd и Kubernetes.",
	Planned:     "в планах", Ready: "готов",
	Contents: "В этом уроке", Pager: "Соседние уроки",
	Previous: "Назад", Next: "Дальше", ToLab: "Лаборатория",
	MapTitle: "Остановить сервис на Go и ничего не потерять",
	MapLead:  "Каждый деплой заканчивается сигналом старому процессу, а у того на руках работа. Drainlab учит, что делать в оставшиеся секунды, и даёт попробовать это на настоящих процессах.",
	MapIntro: "Вот один такой: консьюмер RabbitMQ. Сервер запустит его настоящим процессом, с настоящим брокером.",
	Steps: []string{
		"Нажмите <b>Просто запустить</b>. Настоящий процесс возьмёт два сообщения в работу и придержит третье.",
		"Нажмите <b>TERM</b>. Процессу велят остановиться, а у него на руках все три.",
		"Посмотрите, что вернулось в очередь. Потом повторите с <b>KILL</b> или с программой, которая останавливается неправильно.",
	},
	StartCourse: "Прочитать урок о нём", Lessons: "Курс",
	LessonsLead: "Прочитать, предсказать, что сделает программа, запустить и сверить. Каждый урок можно читать отдельно.",
	CardsTitle:  "Карточки", CardsLead: "Карточки из всех уроков. Каждая возвращается тогда, когда вы вот-вот её забудете.",
	CardsNoscript: "Какую карточку пора повторить, считает браузер, и для этого нужен JavaScript. Без него вот все сразу.",
	NoCards:       "Карточек пока нет ни в одном уроке.",
	LabLabel:      "Лаборатория",
	ToMap:         "К карте курса", ErrorDo: "Если сюда привела ссылка из урока, ошибка в уроке: сообщите нам о ней.",
	notFound: "Такой страницы нет", broken: "На сервере что-то сломалось", refused: "Сервер отклонил этот запрос",
	lessonOf: func(n, of int) string { return fmt.Sprintf("Урок %d из %d", n, of) },
	minutes:  func(n int) string { return fmt.Sprintf("%d мин", n) },
}

func wordsIn(lang string) *words {
	if lang == "ru" {
		return russian
	}
	return english
}
