import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ParamsOf, ResultOf } from '../../../host/api/api.ts'
import { fakeBooks } from '../../testing/books.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** The query bar completes, says what the driver understood, and keeps what was typed beside what was searched for. */

let window: FakeWindow
let books: TablePanel

const many = Array.from({ length: 13 }, (_, index) => `field${index}:`)

/** A driver that completes `country:` with its values, and reads `country is X` as `X`. */
function readRaw({ text, offset }: ParamsOf<'rows.readRaw'>): ResultOf<'rows.readRaw'> {
	const typed = text.slice(0, offset)
	const word = /\w*$/.exec(typed)?.[0] ?? ''
	const labels = typed.startsWith('country:') ? ['NG', 'NL'] : typed.startsWith('field') ? many : ['country:', 'born:']
	const options = labels.map(label => ({ label, kind: 'column' as const }))
	const [, meant] = /^country is (.+)$/.exec(text) ?? []
	return {
		completions: { from: offset - word.length, options: options.filter(({ label }) => label.includes(word)) },
		...(text.includes('titel') ? { fault: 'There is no field titel.' } : { understood: 'Words in all fields.' }),
		...(meant !== undefined && { correction: meant }),
	}
}

beforeEach(async () => {
	window = await openWindow({ tables: [fakeBooks()], answers: { 'rows.readRaw': readRaw } })
	books = await window.openTable('books')
})

const bar = () => books.root.getByRole('searchbox', { name: 'Query' })
const options = () => books.root.getByRole('listbox', { name: 'Completions' }).getByRole('option')
const says = (text: string) => expect.element(books.root.getByText(text, { exact: true })).toBeVisible()
const button = (name: string) => books.root.getByRole('button', { name, exact: true })
const sent = () => window.host.callsOf('grid.open').at(-1)?.query.raw

async function search(text: string): Promise<void> {
	await bar().fill(text)
	await press('Enter')
}

test('Tab inserts a completion, and the values of a field follow its name', async () => {
	await bar().click()
	await type('count')
	await expect.element(options().getByText('country:')).toBeVisible()
	await press('Tab')
	await expect.element(bar()).toHaveValue('country:')
	await options().getByText('NG', { exact: true }).click()
	await expect.element(bar()).toHaveValue('country:NG')
})

test('a list of completions says when it is not whole', async () => {
	await bar().click()
	await type('field')
	await expect.poll(() => options().elements().length).toBe(12)
	await expect.element(books.root.getByText('The first 12 are shown: type to narrow')).toBeVisible()
	await type('1')
	await expect.poll(() => options().elements().length).toBe(4)
	await expect.element(books.root.getByText('The first 12 are shown')).not.toBeInTheDocument()
})

test('the bar says what the driver understood, or what is wrong', async () => {
	await bar().fill('NG')
	await says('Words in all fields.')
	await bar().fill('titel:x')
	await says('There is no field titel.')
	await press('Escape')
	await expect.element(books.root.getByText('There is no field titel.')).not.toBeInTheDocument()
})

test('Enter searches and closes the completions, and an emptied field shows all rows', async () => {
	await search('NG')
	await says('20 rows')
	expect(options().elements()).toEqual([])
	await bar().fill('')
	await says('60 rows')
})

test('the same query again reads the rows again, from the top', async () => {
	await search('NG')
	await says('20 rows')
	const before = window.host.callsOf('grid.open').length
	books.grid.element().scrollTo(0, 200)
	await bar().click()
	await press('Enter')
	await expect.poll(() => window.host.callsOf('grid.open').length).toBe(before + 1)
	await expect.poll(() => books.grid.element().scrollTop).toBe(0)
})

test('a query that fails shows the error of the engine', async () => {
	window.host.fail('grid.open', 'The query is not closed.')
	await search('(NG')
	await expect.element(books.root.getByRole('alert').getByText('The query is not closed.')).toBeVisible()
})

test('a query in another language stays as it was typed, and a note shows what was searched for', async () => {
	await bar().fill('country is NG')
	await expect.element(books.root.getByText('Enter reads it as NG')).toBeVisible()
	await press('Enter')
	await says('20 rows')
	await says('Read as NG')
	await expect.element(bar()).toHaveValue('country is NG')
	expect(sent()).toBe('NG')
})

test('a query is read before it is searched for, also if Enter is faster', async () => {
	const release = window.host.hold('rows.readRaw')
	await search('country is NG')
	release()
	await says('Read as NG')
	await says('20 rows')
})

test('the user searches exactly as typed instead, which is kept over another Enter and a reload', async () => {
	await search('country is NG')
	await button('Search as typed').click()
	await says('Searched exactly as typed.')
	await says('No rows')
	await bar().click()
	await press('Enter')
	await window.open()
	await says('Searched exactly as typed.')
	await expect.element(bar()).toHaveValue('country is NG')
	await button('Search for its meaning').click()
	await says('20 rows')
	await bar().click()
	await press('Alt+Enter')
	await says('Searched exactly as typed.')
})

test('the empty field offers the last queries as they were typed, with what they meant', async () => {
	await search('country is NG')
	await says('20 rows')
	await bar().fill('')
	await says('60 rows')
	await press('ArrowDown')
	await expect.element(books.root.getByText('Recent queries.')).toBeVisible()
	await expect.element(options().first()).toHaveTextContent('country is NG')
	await press('ArrowDown')
	await press('Enter')
	await says('Read as NG')
	await says('20 rows')
})

test('a saved view keeps the typed text and its meaning', async () => {
	await search('country is NG')
	await says('20 rows')
	await books.root.getByRole('button', { name: 'Saved views' }).click()
	await page.getByLabelText('Name of the view').fill('As typed')
	await press('Enter')
	await press('Escape')
	await bar().fill('')
	await says('60 rows')
	await press('ControlOrMeta+Shift+p')
	await type('View: As typed')
	await press('Enter')
	await says('Read as NG')
	await says('20 rows')
	await expect.element(bar()).toHaveValue('country is NG')
})

test('the keys after Escape are for the text, not for the rows', async () => {
	await search('country is NG')
	await says('20 rows')
	await bar().click()
	await press('Escape')
	await press('ControlOrMeta+a')
	await press('Delete')
	await expect.element(bar()).toHaveValue('')
	await books.isStaged(0)
})
