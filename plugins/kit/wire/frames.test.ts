import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeFrame, FrameReader } from './frames.ts'

const limits = { jsonBytes: 1000, attachedBytes: 1000 }

interface Frame {
	readonly message: unknown
	readonly attached: readonly number[]
}

function collect(reader: (onFrame: (message: unknown, attached: Uint8Array) => void) => FrameReader) {
	const frames: Frame[] = []
	return { frames, reader: reader((message, attached) => frames.push({ message, attached: [...attached] })) }
}

const frame = fc.record({
	message: fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ unit: 'grapheme', maxLength: 10 }), { maxKeys: 5 }),
	attached: fc.array(fc.nat(255), { maxLength: 100 }),
})

test('reads any frames as they were written, however the stream is split', () => {
	fc.assert(
		fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.nat(50)), (sent, cuts) => {
			const bytes = Buffer.concat(sent.flatMap(one => encodeFrame(one.message, Uint8Array.from(one.attached))))
			const { frames, reader } = collect(onFrame => new FrameReader(limits, onFrame))
			let at = 0
			for (const size of cuts) {
				reader.push(bytes.subarray(at, at + size))
				at = Math.min(at + size, bytes.length)
			}
			reader.push(bytes.subarray(at))
			expect(frames.map(({ message, attached }) => ({ message: { ...(message as object) }, attached }))).toEqual(
				sent.map(({ message, attached }) => ({ message: { ...message }, attached })),
			)
		}),
	)
})

test.each([
	['a message beyond the limit', 1001, 0],
	['bytes beyond the limit', 2, 1001],
	['no message at all', 0, 4],
	['four gibibytes', 0xffff_ffff, 0xffff_ffff],
])('rejects %s when it is announced, before a byte of it is stored', (_name, json, attached) => {
	const { frames, reader } = collect(onFrame => new FrameReader(limits, onFrame))
	const head = Buffer.alloc(8)
	head.writeUInt32BE(json, 0)
	head.writeUInt32BE(attached, 4)
	expect(() => reader.push(head)).toThrow(RangeError)
	expect(frames).toEqual([])
})

test('rejects a message that is not JSON', () => {
	const { reader } = collect(onFrame => new FrameReader(limits, onFrame))
	expect(() => reader.push(Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0x7b]))).toThrow(SyntaxError)
})

test('rejects a deeply nested message without parsing it, and ignores brackets in strings', () => {
	const { frames, reader } = collect(onFrame => new FrameReader({ jsonBytes: 1e6, attachedBytes: 0 }, onFrame))
	const text = `"${'['.repeat(1000)}\\"${'{'.repeat(1000)}"`
	reader.push(Buffer.concat([...encodeFrame([text, JSON.parse(text)])]))
	expect(frames).toHaveLength(1)
	const head = Buffer.from([0, 0, 3, 0xe8, 0, 0, 0, 0])
	expect(() => reader.push(Buffer.concat([head, Buffer.alloc(1000, '[')]))).toThrow('nested too deep')
	const many = Buffer.from(`[${'0,'.repeat(1_000_001)}0]`)
	const length = Buffer.alloc(8)
	length.writeUInt32BE(many.length, 0)
	const wide = collect(onFrame => new FrameReader({ jsonBytes: 1e7, attachedBytes: 0 }, onFrame))
	expect(() => wide.reader.push(Buffer.concat([length, many]))).toThrow('too many parts')
})
