import { type Frame, readAtFrame, readGoFrame, readPythonFrame } from './frames.ts'

/** A stack trace as it is read: the cause first, and the frames that led to it from the newest. */
export interface Stack {
	/** Class and message of the first exception that was thrown. */
	readonly cause: string
	/** Own frames, and between them those of libraries, folded. */
	readonly parts: readonly StackPart[]
	/** Class names of the exceptions around the cause, from the inside. */
	readonly wrappers: readonly string[]
	/** Number of frames in the text. */
	readonly count: number
}

export type StackPart = (Frame & { readonly frames?: undefined }) | FoldedFrames

/** Consecutive frames of libraries. */
export interface FoldedFrames {
	readonly frames: readonly Frame[]
	/** The libraries, each once. */
	readonly names: readonly string[]
}

/** One exception of a chain. */
interface Thrown {
	head: string
	readonly frames: Frame[]
	/** How many frames of the exception around this one follow its own. */
	shared: number
}

const thrown = (head: string, shared = 0): Thrown => ({ head: head.trim(), frames: [], shared })

/** Returns the stack trace that a text has, of the JVM, .NET, Node, Python or Go; `undefined` for any other text. */
export function readStack(text: string): Stack | undefined {
	const lines = text.split(/\r?\n/)
	const chain = readPython(lines) ?? readGo(lines) ?? readAt(lines)
	const frames = chain?.reduce<readonly Frame[]>((outer, { frames, shared }) => {
		return shared > 0 ? [...frames, ...outer.slice(-shared)] : frames
	}, [])
	const inner = chain?.at(-1)
	if (!chain || !inner || !frames || frames.length === 0) return undefined
	return {
		cause: inner.head,
		parts: folded(frames),
		wrappers: chain.slice(0, -1).reverse().map(classOf).filter(Boolean),
		count: chain.reduce((count, { frames }) => count + frames.length, 0),
	}
}

const classOf = ({ head }: Thrown) => /^[^\s:]*/.exec(head)?.[0].split(/[.$]/).at(-1) ?? ''

/** A trace without own frames keeps its newest one. */
function folded(frames: readonly Frame[]): readonly StackPart[] {
	const hasOwn = frames.some(({ isOwn }) => isOwn)
	const parts: StackPart[] = []
	let open: Frame[] = []
	function close(): void {
		if (open.length > 0) parts.push({ frames: open, names: [...new Set(open.map(({ from }) => from))] })
		open = []
	}
	for (const [index, frame] of frames.entries()) {
		if (!frame.isOwn && (hasOwn || index > 0)) {
			open.push(frame)
			continue
		}
		close()
		parts.push(frame)
	}
	close()
	return parts
}

/** All frames of the exception around. */
const all = Number.MAX_SAFE_INTEGER

/** Reads lines `at …`: the outermost exception comes first. Two frames are a trace. */
function readAt(lines: readonly string[]): readonly Thrown[] | undefined {
	const chain = [thrown('')]
	/** .NET writes the frames of an exception after those of its cause. */
	let open = chain.slice()
	/** What another exception suppressed is no cause. */
	let isAside = false
	for (const line of lines) {
		const current = open.at(-1)
		if (!current) break
		const frame = readAtFrame(line)
		const [, shared] = /^\s*\.\.\. (\d+) (?:more|common frames omitted)/.exec(line) ?? []
		const [, cause] = /^\s*(?:Caused by|\[cause\]): (.*)$/.exec(line) ?? []
		if (cause !== undefined) {
			const next = thrown(cause)
			chain.push(next)
			open = [next]
			isAside = false
		} else if (/^\s*Suppressed: /.test(line)) isAside = true
		else if (isAside) continue
		else if (frame) current.frames.push(frame)
		else if (shared !== undefined) current.shared = Number(shared)
		else if (/^\s*--- End of inner exception stack trace ---/.test(line)) open.pop()
		else if (current.frames.length === 0) {
			const [more = '', ...inner] = line.split('---> ')
			current.head = `${current.head}\n${more.trim()}`.trim()
			for (const head of inner) {
				const next = thrown(head, all)
				chain.push(next)
				open.push(next)
			}
		}
	}
	return chain.reduce((count, { frames }) => count + frames.length, 0) > 1 ? chain : undefined
}

/** Reads traces of Python: the first exception is the cause, and its newest frame is the last. */
function readPython(lines: readonly string[]): readonly Thrown[] | undefined {
	const chain: Thrown[] = []
	let isHead = false
	for (const line of lines) {
		const current = chain.at(-1)
		const frame = readPythonFrame(line)
		if (/^\s*Traceback \(most recent call last\):/.test(line)) {
			chain.push(thrown('', all))
			isHead = false
		} else if (frame) current?.frames.unshift(frame)
		else if (
			current &&
			current.frames.length > 0 &&
			(isHead ? line.trim() !== '' : current.head === '' && /^\S/.test(line))
		) {
			isHead = true
			current.head = `${current.head}\n${line}`.trim()
		} else isHead = false
	}
	return chain.length > 0 ? chain.reverse() : undefined
}

/** Reads the first goroutine of a panic. */
function readGo(lines: readonly string[]): readonly Thrown[] | undefined {
	const first = lines.findIndex(line => /^goroutine \d+ \[/.test(line))
	if (first < 0) return undefined
	const panic = thrown(lines.slice(0, first).join('\n'))
	for (let at = first + 1; at < lines.length && lines[at]?.trim() !== ''; at++) {
		const frame = readGoFrame(lines[at] ?? '', lines[at + 1])
		if (!frame) continue
		panic.frames.push(frame)
		at++
	}
	return [panic]
}
