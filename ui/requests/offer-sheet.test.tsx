import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { OfferView } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { FakeRequests } from '../testing/fake-requests.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'

/** A saved statement becomes a tool for AI clients. What clients get is in tests/mcp/custom-tools.test.ts. */

let window: FakeWindow
let view: OfferView

beforeEach(async () => {
	const files = new FakeRequests()
	files.write('Events by level.sql', 'select * from {{table}} where level = {{level}}')
	view = { text: 'select 1', version: 'v1', names: ['table', 'least'], access: 'read' }
	window = await openWindow({
		tables: [fakeBooks()],
		answers: {
			...consoleAnswers(),
			...files.answers(() => window.host.emit('requests.changed', null)),
			'offers.look': () => view,
			'offers.list': () => {
				const { offer, isChanged = false } = view
				return offer ? [{ place: 'own', path: 'Events by level.sql', name: offer.name, isChanged }] : []
			},
			'offers.make': ({ tool }) => {
				if (tool.description === '') throw new Error('Say what the tool does.')
				view = { ...view, offer: tool, isChanged: false }
				window.host.emit('requests.changed', null)
				return null
			},
			'offers.withdraw': () => {
				const { offer: _, ...rest } = view
				view = rest
				window.host.emit('requests.changed', null)
				return null
			},
		},
	})
	await window.openConnection()
})

const sheet = () => page.getByRole('dialog')
const line = () => page.getByRole('list', { name: 'Saved statements' }).getByRole('listitem')
const offered = () => line().getByTitle('Offered to AI clients as events_by_level')
const tool = { name: 'events_by_level', description: 'Events of one level.', parameters: [] }

async function openOffer(): Promise<void> {
	await line().getByRole('button').click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Offer to AI' }).click()
	await expect.element(sheet()).toBeVisible()
}

test('a statement is offered with its effect, a name, a description, and what each parameter takes', async () => {
	await openOffer()
	await expect.element(sheet().getByText('Reads', { exact: true })).toBeVisible()
	await expect.element(sheet().getByLabelText('Tool')).toHaveValue('events_by_level')
	await sheet().getByRole('button', { name: 'Offer', exact: true }).click()
	await expect.element(sheet().getByRole('alert').getByText('Say what the tool does.')).toBeVisible()
	await sheet().getByLabelText('Description for the model').fill('Events of one level.')
	const place = (name: string) => sheet().getByRole('group', { name: `{{${name}}}` })
	await place('table').getByLabelText('Description').fill('Where to look')
	await place('table').getByLabelText('Type').selectOptions('One of a list')
	await place('table').getByLabelText('Choices').fill('events, books')
	await place('table').getByLabelText('Default value').fill('events')
	await place('least').getByLabelText('Description').fill('The least status')
	await place('least').getByLabelText('Type').selectOptions('Whole number')
	await sheet().getByRole('button', { name: 'Offer', exact: true }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
	await expect.element(offered()).toBeVisible()
	expect(window.host.callsOf('offers.make').at(-1)).toMatchObject({
		path: 'Events by level.sql',
		seen: 'v1',
		tool: {
			name: 'events_by_level',
			parameters: [
				{ name: 'table', description: 'Where to look', choices: ['events', 'books'], default: 'events' },
				{ name: 'least', type: 'integer', description: 'The least status' },
			],
		},
	})
})

test('a statement that changed since its offer says so in the list and in the sheet, and is offered again', async () => {
	view = { ...view, offer: tool, isChanged: true }
	window.host.emit('requests.changed', null)
	await expect.element(line().getByText('changed since it was offered')).toBeVisible()
	await openOffer()
	await expect.element(sheet().getByText('Changed since it was offered.')).toBeVisible()
	await expect.element(sheet().getByLabelText('Description for the model')).toHaveValue('Events of one level.')
	await sheet().getByRole('button', { name: 'Offer again' }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
	await expect.element(offered()).toBeVisible()
})

test('an offer is withdrawn', async () => {
	view = { ...view, offer: tool }
	window.host.emit('requests.changed', null)
	await expect.element(offered()).toBeVisible()
	await openOffer()
	await sheet().getByRole('button', { name: 'Withdraw' }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
	await expect.element(offered()).not.toBeInTheDocument()
})

test('a statement that cannot be offered says why, and takes no offer', async () => {
	const { access: _, ...rest } = view
	view = { ...rest, fault: 'This statement cannot be offered to AI clients: it may destroy data.' }
	await openOffer()
	await expect.element(sheet().getByText('it may destroy data.')).toBeVisible()
	await expect.element(sheet().getByRole('button', { name: 'Offer', exact: true })).toBeDisabled()
	expect(sheet().getByLabelText('Description for the model').elements()).toEqual([])
})
