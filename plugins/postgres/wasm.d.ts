/** The types of Node lack the function, because those of browsers have it. */
declare namespace WebAssembly {
	function compile(bytes: Uint8Array): Promise<Module>
}
