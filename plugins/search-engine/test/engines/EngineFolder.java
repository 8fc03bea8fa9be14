import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.elasticsearch.common.settings.Settings;

/** The folders and settings of a test node: on loopback, with temporary data, without security. */
final class EngineFolder {
	final Path home;
	final Path config;

	private static final String QUIET = """
		status = error
		appender.console.type = Console
		appender.console.name = console
		appender.console.layout.type = PatternLayout
		appender.console.layout.pattern = %p %c: %m%n
		rootLogger.level = error
		rootLogger.appenderRef.console.ref = console
		""";

	EngineFolder(String home) throws Exception {
		this.home = Path.of(home);
		this.config = this.home.resolve("config");
		for (String name : List.of("config", "data", "logs", "modules", "plugins", "lib")) Files.createDirectories(this.home.resolve(name));
		Files.writeString(config.resolve("log4j2.properties"), QUIET);
	}

	Settings settings(String port, String... roles) {
		return Settings.builder()
			.put("path.home", home.toString())
			.put("path.data", home.resolve("data").toString())
			.put("path.logs", home.resolve("logs").toString())
			.put("cluster.name", "roundhouse-tests")
			.put("node.name", "node")
			.put("discovery.type", "single-node")
			.put("network.host", "127.0.0.1")
			.put("http.port", port)
			.put("transport.port", "0")
			.put("cluster.routing.allocation.disk.threshold_enabled", false)
			.putList("node.roles", roles)
			.build();
	}
}
