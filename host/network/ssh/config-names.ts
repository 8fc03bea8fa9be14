import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isDestination } from './ssh-setting.ts'

const mostNames = 200

/** Returns the names of `~/.ssh/config` that stand for one host, for the form. None if the file cannot be read. */
export async function sshConfigNames(path = join(homedir(), '.ssh', 'config')): Promise<readonly string[]> {
	const text = await readFile(path, 'utf8').catch(() => '')
	const lines = [...text.matchAll(/^[ \t]*Host(?:[ \t]*=[ \t]*|[ \t]+)(.+)$/gim)]
	const names = lines
		.flatMap(([, list = '']) => list.trim().split(/[ \t]+/))
		.map(name => name.replace(/^"(.*)"$/, '$1'))
	return [...new Set(names.filter(name => !/[*?!]/.test(name) && isDestination(name)))].slice(0, mostNames)
}
