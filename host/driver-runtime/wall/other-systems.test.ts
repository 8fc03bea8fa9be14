import { expect, test } from 'vitest'
import { macosProfile } from './macos.ts'
import { jobLimits } from './windows.ts'

test('the profile for macOS denies by default and allows the folders of the driver', () => {
	const profile = macosProfile('/opt/node', { read: ['/drivers/a "b"\\c'], readWrite: ['/scratch'] })
	expect(profile.split('\n').slice(0, 4)).toEqual([
		'(version 1)',
		'(deny default)',
		'(allow process-exec (literal "/opt/node"))',
		'(allow signal (target self))',
	])
	expect(profile).toContain('(allow file-read* (subpath "/drivers/a \\"b\\"\\\\c") (subpath "/scratch"))')
	expect(profile).toContain('(allow file-write* (subpath "/scratch"))')
	for (const denied of ['network', 'process-fork', 'mach-lookup', 'file-write* (subpath "/drivers'])
		expect(profile).not.toContain(denied)
})

test('the job object for Windows ends with the host, and limits processes and memory', () => {
	const limits = jobLimits(256)
	expect(limits.length).toBe(144)
	expect(limits.readUInt32LE(16)).toBe(0x2000 | 0x8 | 0x100)
	expect(limits.readUInt32LE(40)).toBe(1)
	expect(limits.readBigUInt64LE(112)).toBe(512n * 1024n * 1024n)
})
