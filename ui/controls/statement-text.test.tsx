import '../styles/main.css'
import { render } from '@solidjs/testing-library'
import { createSignal } from 'solid-js'
import { expect, test } from 'vitest'
import { StatementLanguageProvider, StatementText } from './statement-text.tsx'

const sql = {
	keywords: ['select'],
	words: ['from'],
	lineComments: ['--'],
	blockComments: [],
	textBlocks: ["'"],
}

test('a statement that is shown has the colours of the console, and its whole text', () => {
	const [text, setText] = createSignal("select 'a\nb' -- c\nfrom 1")
	const { container } = render(() => (
		<StatementLanguageProvider language={sql}>
			<StatementText text={text()} />
		</StatementLanguageProvider>
	))
	const coloured = () => [...container.querySelectorAll('span')].map(part => `${part.className} ${part.textContent}`)
	expect(coloured()).toEqual([
		'code-keyword select',
		"code-string '",
		'code-string a',
		"code-string b'",
		'code-comment -- c',
		'code-keyword from',
		'code-number 1',
	])
	expect(container.textContent).toBe(text())
	setText(`select ${'x'.repeat(30_000)} from`)
	expect(container.textContent).toBe(text())
	expect(coloured()).toEqual(['code-keyword select'])
})

test('a statement of no known language is plain', () => {
	const { container } = render(() => <StatementText text="select 1" />)
	expect(container.innerHTML).toBe('select 1')
})

test('each sign of a statement is seen, also where its font has one for two', () => {
	const { container } = render(() => (
		<pre style={{ font: '12px monospace' }}>
			<StatementText text="select 1 >= 0" />
		</pre>
	))
	const pre = container.querySelector('pre')
	expect(pre && getComputedStyle(pre).fontVariantLigatures).toBe('none')
})
