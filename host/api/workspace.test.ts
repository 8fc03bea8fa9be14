import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forgetExport, forgetRecordsOf, openWorkspace } from './workspace.ts'

let folder = ''
const path = () => join(folder, 'workspace.json')
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-workspace-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('removing a connection removes its data, also from the file, and no other data', async () => {
	const store = await openWorkspace(path())
	const kept = { 'query/b/logs': { raw: 'x' }, 'row/look': 'tree' }
	await store.update(() => ({ ...kept, 'edits/a/books': 1, 'console/a/1': 'GET /', 'edits/a/a/b': 2 }))
	const late = store.update(records => ({ ...records, 'query/a/late': 3 }))
	await forgetRecordsOf(store, connection => connection === 'b')
	await late
	expect(store.value).toEqual(kept)
	expect((await openWorkspace(path())).value).toEqual(kept)
})

test('an export that is whole is not kept, and others are', async () => {
	const store = await openWorkspace(path())
	await store.update(() => ({ 'export/a/1': {}, 'export/b/11': {}, 'edits/a/1': 2 }))
	await forgetExport(store, '1')
	expect(store.value).toEqual({ 'export/b/11': {}, 'edits/a/1': 2 })
})
