// Loaded by --require into a process that bench/cli.js starts: at its end, writes its processor time [ms] to stream 3.
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, String((user + system) / 1000));
});
