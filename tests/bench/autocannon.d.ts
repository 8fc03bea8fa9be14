/** The parts of autocannon that the benchmarks use. The package has no types. */
declare module 'autocannon' {
	interface Options {
		readonly url: string
		readonly method: string
		readonly connections: number
		/** Seconds. */
		readonly duration: number
		readonly headers: Readonly<Record<string, string>>
		readonly body: string
	}
	interface Result {
		readonly '2xx': number
		readonly non2xx: number
		/** Seconds. */
		readonly duration: number
		readonly latency: { readonly p50: number; readonly p99: number }
	}
	export default function autocannon(options: Options): Promise<Result>
}
