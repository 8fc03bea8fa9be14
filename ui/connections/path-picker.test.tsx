import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeManifest } from '../testing/fake-engine.ts'
import { openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** A field that takes a path has a picker, because a browser does not tell a page the paths of files. */

const folder = (name: string, path: string) => ({ name, path, isFolder: true })
const listings = {
	'/home/test': {
		path: '/home/test',
		label: '~',
		parent: null,
		entries: [folder('keys', '/home/test/keys')],
		isCut: false,
	},
	'/home/test/keys': {
		path: '/home/test/keys',
		label: '~/keys',
		parent: '/home/test',
		entries: [
			folder('old', '/home/test/keys/old'),
			{ name: 'ca.pem', path: '/home/test/keys/ca.pem', isFolder: false },
		],
		isCut: false,
	},
}

beforeEach(async () => {
	await openWindow({
		manifest: {
			form: [
				...fakeManifest().form,
				{ key: 'ca', label: 'Certificate', type: 'file', access: 'read', section: '', required: false },
			],
		},
		answers: {
			'files.list': ({ path }) => listings[path?.startsWith('/home/test/keys') ? '/home/test/keys' : '/home/test'],
		},
	})
	await page.getByRole('button', { name: 'New connection' }).first().click()
	await page.getByRole('dialog').getByRole('button', { name: 'Shop' }).click()
	await expect.element(certificate()).toBeVisible()
})

const certificate = () => page.getByLabelText('Certificate', { exact: true })
const picker = () => page.getByRole('dialog', { name: 'Choose Certificate' })
const option = (name: string) => picker().getByRole('option', { name, exact: true })
const button = () => page.getByRole('button', { name: 'Choose Certificate' })

async function choose(): Promise<void> {
	await button().click()
	await option('keys').click()
	await option('ca.pem').click()
	await expect.element(picker()).not.toBeInTheDocument()
}

test('a click opens a folder or puts a file in the field, and the form stays open', async () => {
	await choose()
	await expect.element(certificate()).toHaveValue('/home/test/keys/ca.pem')
	await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Test', exact: true })).toBeVisible()
})

test('the first key reaches the picker', async () => {
	button().element().focus()
	await press('Enter')
	await expect.element(option('keys')).toBeVisible()
	await expect.element(picker().getByRole('combobox')).toHaveFocus()
})

test('the picker opens in the folder of the current path, and leads to the folder above by keyboard', async () => {
	await choose()
	await button().click()
	await expect.element(option('old')).toBeVisible()
	await press('Enter')
	await expect.element(option('keys')).toBeVisible()
})

test('Escape closes the picker and keeps the path and the form', async () => {
	await choose()
	await button().click()
	await expect.element(option('old')).toBeVisible()
	await press('Escape')
	await expect.element(picker()).not.toBeInTheDocument()
	await expect.element(certificate()).toHaveValue('/home/test/keys/ca.pem')
})
