"""What runs inside an export, in the process of the framework: the world opened, its episodes, a session server of its own."""
