import { expect, test } from 'vitest'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { openWindow } from '../testing/fake-window.tsx'

/** The first line of a request stays in view while its body scrolls. */

test('the method and the path stay in view above a long body, and a click goes to them', async () => {
	const { terminator: _, ...language } = fakeLanguage({ keywords: ['GET', 'POST'] })
	const window = await openWindow({
		tables: [fakeBooks()],
		manifest: { console: language },
		answers: consoleAnswers({ run: () => ({ body: rowsBody({ n: {} }, [['1']]) }) }),
	})
	await window.openConnection()
	const panel = await ConsolePanel.open()
	await panel.editor.click()
	const body = Array.from({ length: 200 }, (_, at) => `  "field${at}": 1`).join('\n')
	await panel.editor.fill(`GET books/_search\n{\n${body}\n}\n\nPOST books/_refresh\n`)
	const scroller = panel.root.element().querySelector('.cm-scroller')
	const head = () => panel.root.element().querySelector<HTMLElement>('.cm-kept-head')
	scroller?.scrollTo(0, 0)
	await expect.poll(() => head()?.hidden).toBe(true)
	scroller?.scrollTo(0, 1_000)
	await expect.poll(() => head()?.hidden).toBe(false)
	expect(head()?.textContent).toBe('GET books/_search')
	head()?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
	await expect.poll(() => scroller?.scrollTop).toBe(0)
	await expect.poll(() => head()?.hidden).toBe(true)
})
