import { expect, test } from 'vitest'
import { fullName, inFolders } from './request-folders.ts'

const request = (path: string) => ({ place: 'own' as const, path, name: path.replace(/.*\/|\.es$/g, '') })

test('requests are listed in their folders, and others beside them', () => {
	const [a, b, c, d] = ['a.es', 'x/b.es', 'x/y/c.es', 'xy/d.es'].map(request)
	expect(inFolders([a, b, c, d].filter(one => one !== undefined))).toEqual({
		name: '',
		path: '',
		requests: [a],
		folders: [
			{ name: 'x', path: 'x', requests: [b], folders: [{ name: 'y', path: 'x/y', requests: [c], folders: [] }] },
			{ name: 'xy', path: 'xy', requests: [d], folders: [] },
		],
	})
})

test('a display name includes the folders', () => {
	expect(fullName({ path: 'x/y/c-.es', name: 'c?' })).toBe('x/y/c?')
	expect(fullName({ path: 'a.es', name: 'a' })).toBe('a')
})
