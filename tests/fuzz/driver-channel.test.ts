import { expect, test } from 'vitest'
import { fuzzDriverChannel } from './driver-channel.ts'

test('2,000 invalid messages of a driver end that driver with a reason, and have no other effect', async () => {
	const { faults } = await fuzzDriverChannel(2000, 20_260_728)
	// The mutations are useful only if many of them reach the schema of a method.
	expect(faults.get('none')).toBeGreaterThan(100)
	expect(faults.get('it broke the protocol')).toBeGreaterThan(100)
	expect(faults.get('it sent a frame of N and N bytes')).toBeGreaterThan(20)
	expect(faults.get('it answered an unknown call')).toBeGreaterThan(20)
})
