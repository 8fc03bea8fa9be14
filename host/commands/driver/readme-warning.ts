import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layout } from '../../../base/layout.ts'
import { readRegularFile } from '../../../base/regular-file.ts'

/** Warns an author whose README.md is still that of a template. @returns no line, or one */
export async function readmeWarnings(folder: string): Promise<readonly string[]> {
	const own = await readRegularFile(join(folder, 'README.md'), maxBytes).catch(() => undefined)
	if (own === undefined) return []
	const templates = await readdir(layout.driverTemplates)
	const texts = await Promise.all(
		templates.map(template => readFile(join(layout.driverTemplates, template, 'README.md'), 'utf8')),
	)
	if (!texts.some(text => isFilled(text, own.toString('utf8')))) return []
	return [
		'Warning: README.md still has the text of the template. Users read it before they install: describe your driver.',
	]
}

/** Far more than a template has. */
const maxBytes = 64 * 1024

/** Whether a text is a template's with any values: the driver may have another name by now. */
function isFilled(template: string, text: string): boolean {
	const parts = template.split(/\{\{\w+\}\}/).map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
	return new RegExp(`^${parts.join('.*')}$`).test(text)
}
