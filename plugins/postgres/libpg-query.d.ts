/** The parser's module itself, which the package's types leave out. */
declare module 'libpg-query/wasm/libpg-query.js' {
	export interface ParserModule {
		_malloc(size: number): number
		_free(pointer: number): void
		_wasm_parse_query_raw(text: number): number
		_wasm_free_parse_result(result: number): void
		_wasm_parse_plpgsql(text: number): number
		_wasm_free_string(text: number): void
		getValue(pointer: number, type: 'i32'): number
		UTF8ToString(pointer: number): string
		stringToUTF8(text: string, pointer: number, size: number): void
		lengthBytesUTF8(text: string): number
	}
	export default function openParser(options: {
		locateFile(name: string): string
		print(line: string): void
		printErr(line: string): void
	}): Promise<ParserModule>
}
