import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SpecificationTable } from '../console/complete/specification-table.ts'
import { specificationFile } from '../generated-files.ts'
import { filesIn } from './syntax.ts'
import { packageFolder, readClient, tableOf } from './version.ts'

/** The source clients, newest first, because a newer one describes what older ones only name. */
const clients = [
	{ major: '9', alias: 'elasticsearch-9' },
	{ major: '8', alias: 'elasticsearch-8' },
	{ major: '7', alias: 'elasticsearch-7' },
]

/** Writes the table of the engine's API, unless it exists and is up to date. */
export async function writeSpecification(): Promise<void> {
	const madeFrom = await digestOfSources()
	const before = await readFile(specificationFile, 'utf8').catch(() => '')
	if (before.startsWith(`{"madeFrom":"${madeFrom}"`)) return
	const folder = dirname(specificationFile)
	await mkdir(folder, { recursive: true })
	// The licence of the descriptions requires that these files are included.
	for (const file of ['LICENSE', 'NOTICE.txt'])
		await cp(join(packageFolder('elasticsearch-9'), file), join(folder, `elasticsearch-${file}`))
	await writeFile(specificationFile, JSON.stringify(await specificationTable(madeFrom)))
}

/** Digest of this program, of the list beside it and of the versions of the clients. */
async function digestOfSources(): Promise<string> {
	const digest = createHash('sha256')
	const files = await Promise.all(['.ts', '.txt'].map(ending => filesIn(import.meta.dirname, ending)))
	for (const file of files.flat()) digest.update(await readFile(file))
	for (const { alias } of clients) digest.update(await readFile(join(packageFolder(alias), 'package.json')))
	return digest.digest('hex')
}

async function specificationTable(madeFrom: string): Promise<SpecificationTable> {
	const texts = new Map([['', 0]])
	const keep = (text: string) => {
		const place = texts.get(text) ?? texts.size
		texts.set(text, place)
		return place
	}
	const read = await Promise.all(clients.map(({ major, alias }) => readClient(packageFolder(alias), major === '7')))
	const versions = read.map((client, index) => {
		const newer = read.slice(0, index).reverse()
		return [clients[index]?.major ?? '', tableOf(client, newer, keep)] as const
	})
	return { madeFrom, versions: Object.fromEntries(versions), texts: [...texts.keys()] }
}
