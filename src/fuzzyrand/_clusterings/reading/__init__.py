"""Labels and memberships in all forms that users have them."""
