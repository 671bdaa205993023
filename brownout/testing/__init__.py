"""What tests need and users may use: fakes of what lies outside."""
