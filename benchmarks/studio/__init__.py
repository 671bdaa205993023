"""What people wait for in the studio, in a real browser, beside the budgets."""
