import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSsh } from './ssh-flags.ts'

test('a tunnel has a server, the whole path of a key and hosts on the way', () => {
	expect(readSsh({ ssh: 'bastion' })).toEqual({ destination: 'bastion' })
	expect(readSsh({ ssh: 'ann@bastion:2222', sshKey: 'keys/id', sshJump: 'a, ann@b:22' })).toEqual({
		destination: 'ann@bastion:2222',
		identityFile: resolve('keys/id'),
		jump: 'a,ann@b:22',
	})
})

test('a change is of what its flags name', () => {
	const before = { destination: 'bastion', identityFile: '/keys/id', jump: 'a' }
	expect(readSsh({}, before)).toBeUndefined()
	expect(readSsh({ ssh: 'other' }, before)).toEqual({ ...before, destination: 'other' })
	expect(readSsh({ sshKey: '' }, before)).toEqual({ destination: 'bastion', jump: 'a' })
	expect(readSsh({ sshJump: '' }, before)).toEqual({ destination: 'bastion', identityFile: '/keys/id' })
	expect(readSsh({ ssh: false }, before)).toBeNull()
})

test.each([
	[{ sshKey: '/keys/id' }, '--ssh has the server'],
	[{ ssh: '' }, '--ssh: Write a name of ~/.ssh/config'],
	[{ ssh: '-oProxyCommand=x' }, '--ssh: Write a name of ~/.ssh/config'],
	[{ ssh: 'bastion', sshJump: 'a,-b' }, '--ssh-jump: Write user@host:port'],
	[{ ssh: 'bastion', sshKey: 'a"b' }, '--ssh-key: Choose a key file'],
])('%j is refused', (flags, words) => {
	expect(() => readSsh(flags)).toThrow(words)
})
