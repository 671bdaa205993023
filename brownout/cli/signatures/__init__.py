"""What each command takes and its line of help, apart from what it does (`brownout.cli.commands.done_by`)."""
