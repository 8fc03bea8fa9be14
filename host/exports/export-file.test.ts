import { mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type KeptExport, readPiece } from './export-file.ts'
import { ExportFolder } from './export-folder.ts'

async function kept(text: string): Promise<KeptExport> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-pieces-')))
	onTestFinished(() => rm(folder, { recursive: true }))
	await using file = await new ExportFolder(() => ({ folder, asks: false })).begin(folder)
	await file.write(Buffer.from(text))
	return await file.keepAs('rows', 'csv')
}

async function piecesOf(file: KeptExport, most: number): Promise<readonly string[]> {
	const pieces: string[] = []
	let from = 0
	do {
		const { text, next } = await readPiece(file, from, most)
		pieces.push(text)
		from = next
	} while (from < file.bytes)
	return pieces
}

test.each([
	['nothing', '', 10, ['']],
	['lines that fit together', 'a\nb\n', 4, ['a\nb\n']],
	['complete lines', 'aa\nbb\ncc\n', 7, ['aa\nbb\n', 'cc\n']],
	['a last line without an end', 'aa\nbb', 4, ['aa\n', 'bb']],
	['a line that is too long, by characters', 'aé😀\n', 5, ['aé', '😀\n']],
])('a file is read in pieces: %s', async (_, text, most, expected) => {
	expect(await piecesOf(await kept(text), most)).toEqual(expected)
})

test('a file of any text is the sum of its pieces, whatever their size', async () => {
	const text = `id,name\n${Array.from({ length: 40 }, (_, at) => `${at},${'é😀x\n'.repeat(at % 4)}`).join('\n')}`
	const file = await kept(text)
	for (const most of [4, 5, 7, 16, 100, 10_000]) expect((await piecesOf(file, most)).join('')).toBe(text)
})

test('a byte within a character, and what is at the path now but was not exported, are refused', async () => {
	const file = await kept('é,2\n')
	await expect(readPiece(file, 1, 10)).rejects.toThrow(/changed, moved or deleted/)
	await writeFile(`${file.path}.other`, 'é,2\n')
	await rename(`${file.path}.other`, file.path)
	await expect(readPiece(file, 0, 10)).rejects.toThrow(/changed, moved or deleted/)
	await rm(file.path)
	await expect(readPiece(file, 0, 10)).rejects.toThrow(/changed, moved or deleted/)
	await symlink('/etc/passwd', file.path)
	await expect(readPiece(file, 0, 10)).rejects.toThrow(/changed, moved or deleted/)
})

test('a file that was written again is refused, even with a text of the same size', async () => {
	const file = await kept('a,1\n')
	await writeFile(file.path, 'b,2\n')
	await expect(readPiece(file, 0, 10)).rejects.toThrow(/changed, moved or deleted/)
})
